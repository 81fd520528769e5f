"""Keep the C library's allocator from holding memory that nobody uses."""

import ctypes

_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
"""Numbers of options in <malloc.h> of glibc (M_MMAP_THRESHOLD, M_ARENA_MAX)."""
_LARGE = 128 * 1024


def give_memory_back() -> None:
    """Let glibc return each block of 128 KiB or more when it is freed, and share one heap among all threads.

    By itself it keeps blocks as large as the largest one that was ever freed, and a heap for each thread; after a few
    letters with pictures, that is 9 MiB. Does nothing where the C library has no such options.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_ARENA_MAX, 1)
