"""The Jinja2 environment of all templates, with the filters that texts, HTML parts and the terminal share."""

from collections.abc import Callable, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, nodes
from jinja2.visitor import NodeTransformer

from takmail.letters.layout import age, columns, described, printable


def environment(roots: Sequence[Path], *, autoescape: bool) -> Environment:
    """Return the templates of some folders. An earlier folder's template hides a later one of the same name."""
    made = _InliningEnvironment(
        loader=FileSystemLoader(roots),
        auto_reload=False,  # otherwise each use would check the file
        cache_size=-1,  # all of them: they are few
        undefined=StrictUndefined,
        autoescape=autoescape,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["untabbed"] = str.expandtabs
    made.filters["columns"] = columns
    made.filters["described"] = described
    made.filters["printable"] = printable
    made.filters["age"] = age
    return made


class _InliningEnvironment(Environment):
    """Compiles a template together with those that it includes by a constant name.

    Otherwise Jinja2 copies all facts for each include. A letter includes about 20 templates.
    """

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        parsed: nodes.Template = _Inliner(self).visit(super()._parse(source, name, filename))
        return parsed

    def included(self, name: str, line: int) -> nodes.Scope:
        """Return a parsed template in a scope of its own. An error in it names the line that includes it."""
        source, filename, _ = self._source(name)
        scope = nodes.Scope(self._parse(source, name, filename).body)
        scope.set_lineno(line, override=True)
        return scope

    def _source(self, name: str) -> tuple[str, str | None, Callable[[], bool] | None]:
        assert self.loader is not None
        return self.loader.get_source(self, name)


class _Inliner(NodeTransformer):
    """Replaces each include of a constant name by the template's nodes.

    What stands in the filter `html_only` is not rendered if the fact `writes_html` is false.
    """

    def __init__(self, made: _InliningEnvironment) -> None:
        self._environment = made

    def visit_Include(self, node: nodes.Include) -> nodes.Node:  # noqa: N802 - jinja2 calls it by the node's name
        if isinstance(node.template, nodes.Const):
            return self._environment.included(node.template.value, node.lineno)
        return node

    def visit_FilterBlock(self, node: nodes.FilterBlock) -> nodes.Node:  # noqa: N802 - the same
        self.generic_visit(node)
        if node.filter.name == "html_only":
            return nodes.If(nodes.Name("writes_html", "load"), [node], [], [], lineno=node.lineno)
        return node
