"""The verb `compact`: its own options, and what they mean, from a session to a Compaction and its audit."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import dataclass

from core.compaction import ID, Plan, Settings, Texts, of_policy, plan
from core.compaction_audit import Place, of_run, places
from core.compaction_documents import compact_document, preview_document
from core.compaction_entry import entry, file_with
from core.compaction_preview import estimate, model_before, preview
from core.compaction_run import run
from core.engine_host import compaction_owner
from core.errors import RequestError, UsageError
from core.messages import Json
from core.phrase import Phrase, phrase
from core.profile import Profile
from core.retention import mentions
from core.session import Session
from core.settings import change
from core.storage import write_new
from core.summarizer import Scene, summarizer, summarizers
from core.timeline import window_of
from core.verb import before_request
from core.workspace import rules

DEFAULT = "extractive"


@dataclass(frozen=True, slots=True)
class Means:
    """What the caller lends: sleeping, a clock, and a word on how far it is (`False` stops)."""

    wait: Callable[[float], None] = lambda _: None
    clock: Callable[[], float] | None = None
    go_on: Callable[[float], bool] = lambda _: True


def add_options(parser: argparse.ArgumentParser, say: Callable[[str], str]) -> None:
    parser.add_argument("--summarizer", metavar="NAME", help=say("summarizer"))
    parser.add_argument("--at", metavar="ENTRY", help=say("at"))
    parser.add_argument("--focus", metavar="TEXT", help=say("focus"))
    parser.add_argument("--identifiers", metavar="TEXT", help=say("identifiers"))
    parser.add_argument("--workspace", metavar="DIR", help=say("rules"))
    parser.add_argument(
        "--break", dest="broken", metavar="1|2|1,2", type=_rungs, default=frozenset(), help=say("break")
    )
    parser.add_argument("--model", metavar="ID", default="", help=say("model"))
    parser.add_argument("--base-url", metavar="URL", default="", help=say("base_url"))
    parser.add_argument("--preview", action="store_true", help=say("preview"))
    parser.add_argument("--send", action="store_true", help=say("send"))
    parser.add_argument("--append", action="store_true", help=say("append"))
    parser.add_argument("--output", metavar="FILE", help=say("append_output"))


def _rungs(word: str) -> frozenset[int]:
    if not word or any(piece not in ("1", "2") for piece in word.split(",")):
        raise argparse.ArgumentTypeError(f"{word!r}: only rungs 1 and 2 can be broken")
    return frozenset(map(int, word.split(",")))


def compact(
    session: Session, whole: tuple[int, ...], profile: Profile, options: argparse.Namespace, means: Means
) -> Json:
    """The document of a run, or of a preview. `whole`: the path to the leaf; what the compaction sees of it ends at the
    request or at the recorded compaction that was asked for, and what comes behind tells what was used later."""
    if options.append != (options.output is not None):
        raise UsageError(phrase("compaction.append_needs_output"))
    name, settings, own = _settings(profile, options)
    place = _place(session, whole, options.at, settings) if options.at is not None else None
    path = whole[: place.at] if place is not None else whole[: before_request(session, whole, options.request)]
    window, _ = window_of(session, path, session.requests(path), options.window)
    first_kept, owner = place.first_kept if place else None, compaction_owner(profile)
    planned = plan(session, path, window, settings, _texts(options), first_kept, owner)
    if planned is None:
        raise RequestError(phrase("compaction.nothing", keep=settings.keep))
    module = summarizer(name)
    # A package that sends knows its own models: the session may have talked to another provider.
    usual = getattr(module, "DEFAULT_MODEL", "") if module.LEAVES else model_before(session, path)
    model = options.model or usual
    if options.preview:
        asked = preview(planned)
        return preview_document(asked, estimate(asked, model, None), model)
    if module.LEAVES and not options.send:
        raise RequestError(_unconfirmed(planned, model))
    scene = Scene(place.summary if place else None, model, options.base_url, options.send, os.environ)
    asking = module.make(own, scene)
    done = run(session, planned, asking, wait=means.wait, clock=means.clock, broken=options.broken)
    audited = of_run(session, mentions(session, whole, lambda at: means.go_on(at / max(1, len(whole)))), done)
    if options.append:
        write_new(options.output, file_with(session, entry(session, done)))
    return compact_document(session, done, audited, profile.id, name, options.output)


def _texts(options: argparse.Namespace) -> Texts:
    """What a person adds, and of the workspace the rules that the safeguard repeats."""
    return Texts(options.focus, options.identifiers, rules(options.workspace) if options.workspace else None)


def _settings(profile: Profile, options: argparse.Namespace) -> tuple[str, Settings, object]:
    """(summarizer, settings of the compaction, settings of the summarizer) after `--set`."""
    known = summarizers()
    changes: dict[str, dict[str, object]] = {}
    for word in options.set:
        left, equals, value = word.partition("=")
        owner, dot, field = left.partition(".")
        if not (equals and dot) or (owner != ID and owner not in known):
            raise UsageError(phrase("compaction.bad_set", word=word, known=", ".join((ID, *known))))
        changes.setdefault(owner, {})[field] = value
    others = [owner for owner in changes if owner != ID]
    name = options.summarizer or (others[0] if len(others) == 1 else DEFAULT)
    if name not in known:
        raise UsageError(phrase("compaction.unknown_summarizer", name=name, known=", ".join(known)))
    if any(owner != name for owner in others):
        raise UsageError(phrase("compaction.other_summarizer", name=name, other=", ".join(others)))
    policy = {"identifiers": "custom"} if options.identifiers is not None else {}
    settings = change(of_policy(profile), ID, {**policy, **changes.get(ID, {})})
    return name, settings, change(known[name].Settings(), name, changes.get(name, {}))


def _place(session: Session, path: tuple[int, ...], wanted: str, settings: Settings) -> Place:
    """The recorded compaction with this id."""
    found = places(session, path, "2026.3" if settings.generation == "2026.3" else "2026.4")
    for place in found:
        if session.columns.ids[place.row] == wanted:
            return place
    known = ", ".join(session.columns.ids[place.row] for place in found) or "–"
    raise RequestError(phrase("compaction.no_place", entry=wanted, known=known))


def _unconfirmed(planned: Plan, model: str) -> Phrase:
    asked = preview(planned)
    found = estimate(asked, model, None)
    return phrase("compaction.confirm", n=found.calls, tokens=found.input, output=found.output, cost=found.cost)
