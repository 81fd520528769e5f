"""Compile the modules that think, while the wheel is built with `HATCH_BUILD_HOOK_ENABLE_CUSTOM=true`.

mypyc makes C of the same source, and a C compiler an extension of that. Python takes the extension where the wheel has
one, and the source everywhere else (docs/decisions/053-a-bot-in-plain-python.md).
"""

import shutil
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from mypyc.build import mypycify
from setuptools import Distribution

FOLDER = Path("takmail", "games", "tak", "bot")
MODULES = ("bits", "evaluate", "roads", "threats", "search", "tinue", "levels")


class CompileHook(BuildHookInterface):
    """Adds the extensions to the wheel, which is then for one system and one version of Python."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless the wheel only points to a checkout, where the source changes beside the extension."""
        if version == "editable":
            return
        self._scratch = TemporaryDirectory(prefix="takmail-compile-")
        scratch = Path(self._scratch.name)
        shutil.copytree(Path(self.root, "takmail"), scratch / "takmail")
        # All that the compilers write is below the folder that they work in.
        with chdir(scratch):
            compile_to("extensions")
        for file in (scratch / "extensions").rglob("*.so"):
            build_data["force_include"][str(file)] = str(file.relative_to(scratch / "extensions"))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Throw away what the compilers have left."""
        if version != "editable":
            self._scratch.cleanup()


def compile_to(folder: str) -> None:
    """Put the extensions into a folder."""
    modules = [str(FOLDER / f"{name}.py") for name in MODULES]
    extensions = mypycify(modules, opt_level="3", debug_level="0", group_name="takmail_bot")
    command = Distribution({"name": "takmail", "ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = folder, "build"
    command.ensure_finalized()
    command.run()
