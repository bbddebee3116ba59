"""Fills the detail of the selected step: words, settings, badge, the consequence of a drag, the nearest alternative.

What needs another trace (the request before, for the badge; the alternative) is computed in idle time and comes later.
"""

from __future__ import annotations

from core.phrase import Phrase, phrase
from core.pipeline import SESSION_CONTEXT, Step, Trace
from core.prompt import Blocks
from core.system_prompt_step import system_prompt_step
from gui.alternative import alternative
from gui.paint import Tone
from gui.state import State
from gui.step_detail import StepDetail
from gui.step_effects import against, consequence, done, first_rewritten, place_of
from gui.translation import say


class StepReport:
    """Keeps what was computed for the trace at hand, so that selecting another step asks for nothing twice."""

    def __init__(self, detail: StepDetail) -> None:
        self._detail = detail
        self._trace: Trace | None = None
        self._before: Trace | None = None
        """The trace of the request before under the same profile; None = not computed, or there is none."""
        self._known = False
        self._others: dict[str, tuple[Phrase, Trace]] = {}
        """By instance the nearest alternative and its trace."""
        self._said: dict[tuple[str, int], Phrase] = {}
        """By instance, and by the step whose blocks are shown, what the alternative would do."""
        self._asked: set[str] = set()
        self._drag: tuple[str, Trace, str] | None = None
        self._name: str | None = None
        self.seen: Blocks = ()
        """The blocks beside which the Prompt tab has its numbers."""

    def forget(self, state: State | None) -> None:
        """Another session: what was asked of this one is not wanted any more."""
        self.let_go()
        self._trace = None
        if state is not None:
            state.drop_comparisons()

    def worth_a_look(self, trace: Trace) -> str:
        """The step to begin with: one in trouble, else the one that changed most, else the first."""
        middle = [step for step in trace.steps[1:] if step.failed or step.overflow]
        middle = middle or [step for step in trace.steps[1:] if step.fired]
        if not middle:
            return trace.steps[0].instance
        return max(middle, key=lambda step: abs(step.tokens_after - step.tokens_before)).instance

    # a drag

    def grasp(self, state: State, name: str | None, field: str) -> None:
        """From here on consequences are told against what is sent now."""
        trace = state.trace
        if name is not None and trace is not None and self._drag is None:
            self._drag = (name, trace, field)

    def let_go(self) -> None:
        self._drag = None
        if self._detail.form is not None:
            self._detail.form.tell("", "")

    def _tell_drag(self, state: State, trace: Trace, step: Step) -> None:
        form = self._detail.form
        if form is None or self._drag is None or self._drag[0] != step.instance or state.stale:
            return
        name, start, field = self._drag
        then = next((old for old in start.steps if old.instance == name), None)
        if then is not None and trace is not start:
            form.tell(field, say(consequence(step, then, trace.overflow, start.overflow)))

    # the step

    def show(self, state: State, trace: Trace, name: str | None) -> None:
        self._name = name
        if trace is not self._trace:
            self._trace, self._before, self._known = trace, None, False
            self._others.clear()
            self._said.clear()
            self._asked.clear()
        step = next((step for step in trace.steps if step.instance == name), None)
        if step is None:
            self._show_system_prompt(state, trace)
            return
        instance = next((found for found in state.profile.instances if found.name == name), None)
        base = next((found.settings for found in state.base.instances if found.name == name), None)
        changed = any(change.partition(".")[0] == name for change in state.changes())
        until = self._until(state, trace, step)
        did = say(phrase("dock.did.sentence", what=done(step, trace.steps[until].after))) if step.edits else ""
        if instance is not None and not instance.on:
            did = say(phrase("dock.off"))
        self._detail.show_words(say(step.title), say(step.why), did, "\n".join(say(note) for note in step.notes))
        self._detail.show_settings(instance, base, step, changed)
        self._detail.engine.show_carry(step.carry)
        self._detail.ask.show()
        self._detail.show_mark(step.mark if step.mark in ("request", "file") else "")
        self._tell_drag(state, trace, step)
        self.seen = trace.steps[until].after
        self._show_badge(step)
        self._show_alternative(state, step)
        if not state.stale:
            self._ask(state, trace, step)

    def _show_system_prompt(self, state: State, trace: Trace) -> None:
        leading = state.assembled.leading
        if leading:
            step = system_prompt_step(trace, leading, state.assembled.unrecorded)
            self._detail.show_words(say(step.title), say(step.why), "", "\n".join(say(note) for note in step.notes))
        else:
            words = [say(phrase(f"dock.system_prompt.{part}")) for part in ("title", "detail")]
            self._detail.show_words(words[0], words[1], "", say(phrase("dock.not_running")))
        self._detail.show_settings(None, None, None, False)
        self._detail.engine.show_carry(None)
        self._detail.ask.hide()
        self._detail.show_mark("")
        self._detail.show_badge("", Tone.PLAIN)
        self._detail.show_alternative(None, None)

    # badge and alternative

    def _show_badge(self, step: Step) -> None:
        words, tone = self.badge(step)
        self._detail.show_badge(say(words) if words is not None else "", tone)

    def badge(self, step: Step) -> tuple[Phrase | None, Tone]:
        """What the step means for the cache; None until the request before was computed."""
        if step.failed:
            return phrase("dock.badge.failed"), Tone.DIFF
        if not step.on:
            return phrase("dock.badge.off"), Tone.PLAIN
        if step.overflow:
            return phrase("dock.badge.overflow"), Tone.DIFF
        if step.mark == "file":
            return phrase("dock.badge.file"), Tone.WARNING
        if not self._known:
            return None, Tone.PLAIN
        number = self._trace.steps.index(step) if self._trace is not None and step in self._trace.steps else -1
        older = self._before.steps[number] if self._before is not None and number >= 0 else None
        first = first_rewritten(step, older)
        if first is None:
            return phrase("dock.badge.safe"), Tone.READ
        seen = place_of(step.after[first], first, self.seen) if first < len(step.after) else first
        return phrase("dock.badge.rewrites", n=seen + 1), Tone.WRITTEN

    @staticmethod
    def _until(state: State, trace: Trace, step: Step) -> int:
        """Number of the step whose blocks the Prompt tab shows; of `step` itself, where that comes later."""
        stage, number = state.stage, trace.steps.index(step)
        return max(stage.number, number) if stage is not None and stage.trace is trace else number

    def _show_alternative(self, state: State, step: Step) -> None:
        title, other = self._others.get(step.instance, (None, None))
        trace = self._trace
        if title is None or other is None or trace is None:
            self._detail.show_alternative(None, None)
            return
        until = self._until(state, trace, step)
        said = self._said.get((step.instance, until))
        if said is None:
            number, now = trace.steps.index(step), trace.steps[-1].tokens_after
            said = self._said[step.instance, until] = against(trace, other, number, now, until)
        self._detail.show_alternative(title, said)

    def _ask(self, state: State, trace: Trace, step: Step) -> None:
        """Ask for the traces that are missing; what comes back for another trace than the one shown is dropped."""
        if not self._known and "" not in self._asked:
            self._asked.add("")
            request = state.cursor.request
            last = len(state.timeline.summaries)
            before = last if request is None else request - 1
            if before < 1:
                self._known = True
                self._show_badge(step)
            else:
                state.compare("layers.before", lambda found: self._take_before(trace, found), request=before)
        if step.instance == SESSION_CONTEXT or step.instance in self._asked:
            return
        other = alternative(state.profile, state.base, step.instance)
        if other is not None:
            self._asked.add(step.instance)

            def take(found: Trace) -> None:
                if self._trace is trace:
                    self._others[step.instance] = (other.title, found)
                    if self._name == step.instance:
                        self._show_alternative(state, step)

            state.compare(f"layers.{step.instance}", take, profile=other.profile)

    def _take_before(self, trace: Trace, found: Trace) -> None:
        if self._trace is not trace:
            return
        self._before, self._known = found, True
        step = next((step for step in trace.steps if step.instance == self._name), None)
        if step is not None:
            self._show_badge(step)
