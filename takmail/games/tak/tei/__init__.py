"""TEI, the Tak Engine Interface: text lines by which a program lets an engine play Tak.

TEI follows UCI, the interface of chess engines. The README of MortenLohne/racetrack describes it.
"""
