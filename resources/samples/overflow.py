"""Sample "Overflow, three fallbacks": a pasted log larger than half of the window, another one, and a context too full.

The first log alone has more than 83,333 tokens by the agent's estimate: in the second rung of the fallback it is left
out, and a note stands for it. With the second one the prompt passes window minus reserve, so a compaction is due from
then on. What is asked last (a trace, a host, an order) stands in the first log only: a plain note loses all of it.
"""

from __future__ import annotations

import random

from resources.samples.recorder import Call, Recorder

CWD = "/home/ines/gateway"
ROUTES = ("/v2/orders", "/v2/orders/search", "/v2/customers", "/v2/stock", "/v2/invoices", "/health")
HOSTS = ("gw-1.cluster.internal", "gw-2.cluster.internal", "gw-3.cluster.internal")
FIRST, SECOND = 334_000, 172_000
"""Characters of the two logs."""
TRACE, HOST, ORDER = "5be1f0c2a97d4e38", "gw-3.cluster.internal", "ord_8Kd2mQ71xV"
CAUSE = f"ERROR {HOST} trace={TRACE} order={ORDER} upstream reset: ECONNRESET after 30000 ms at src/proxy/retry.ts:88"


def record() -> Recorder:
    rec = Recorder(seed=88, start="2026-05-12T07:58:03+00:00", cwd=CWD, stable=17_300, dynamic=1_240)
    rng = random.Random(88)
    rec.choose_model()
    rec.choose_thinking("off")
    rec.snapshot_model()
    rec.name("gateway-resets")
    rec.ask("Since this morning orders get lost in the gateway. Look at the retry code first, then I paste the logs.")
    rec.reply("I read the retry code and its settings.", [_read("src/proxy/retry.ts", RETRY)])
    rec.reply("", [_read("config/gateway.yaml", CONFIG)])
    rec.reply("It gives up after 30,000 ms and never tries another host. Please paste the log of the gateway.")
    rec.wait(140)
    rec.ask("The gateway, the whole night:\n\n" + _log(rng, FIRST, {1_420: CAUSE}))
    rec.reply(
        f"One reset stands out: trace {TRACE} on {HOST}, order {ORDER}, in src/proxy/retry.ts:88. I look for others.",
        [_grep("ECONNRESET", f"logs/gateway.log:1421: {CAUSE}\n")],
    )
    rec.reply("It is the only one. Now the log of the order service, so that I see whether the order arrived.")
    rec.wait(95)
    rec.ask("The order service:\n\n" + _log(rng, SECOND, {}))
    rec.reply("The order never arrived there: between 03:11 and 03:14 there is no line from the third host.")
    rec.wait(60)
    rec.ask(f"Then write the report: which trace was it ({TRACE}?), which host, and what became of {ORDER}?")
    rec.reply("I check the line in the log once more.", [_grep(TRACE, f"logs/gateway.log:1421: {CAUSE}\n")])
    rec.reply("And the code it names.", [_read("src/proxy/retry.ts", RETRY)])
    rec.reply(
        f"Report: trace {TRACE} on {HOST} ended in ECONNRESET; {ORDER} never reached the order service. Cause: "
        "src/proxy/retry.ts:88 waits 30,000 ms and does not try another host. Proposed: two tries, 5,000 ms each."
    )
    return rec


def _read(path: str, text: str) -> Call:
    return Call("read", {"path": path}, text, {"status": "completed", "path": path}, seconds=0.1)


def _grep(words: str, found: str) -> Call:
    return Call("grep", {"pattern": words, "path": "logs"}, found, None, seconds=0.2)


def _log(rng: random.Random, size: int, special: dict[int, str]) -> str:
    """Lines as gateways write them, about `size` characters; `special`: the one at a place is this one."""
    lines: list[str] = []
    length, millis = 0, 0
    while length < size:
        millis += rng.randrange(400, 13_000)
        clock = f"{millis // 3_600_000:02d}:{millis // 60_000 % 60:02d}:{millis // 1000 % 60:02d}.{millis % 1000:03d}"
        told = special.get(len(lines)) or (
            f"INFO  {rng.choice(HOSTS)} GET {rng.choice(ROUTES)} status={rng.choice((200, 200, 200, 204, 404))} "
            f"took={rng.randrange(2, 480)}ms bytes={rng.randrange(90, 60_000)}"
        )
        lines.append(f"{clock} {told}")
        length += len(lines[-1]) + 1
    return "\n".join(lines)


RETRY = """\
export async function forward(call: Call, hosts: string[]): Promise<Reply> {
  const host = hosts[call.hash % hosts.length];
  try {
    return await send(host, call, { timeout: settings.timeout });
  } catch (failure) {
    log.error(`${host} trace=${call.trace} order=${call.order} upstream reset: ${failure.code}`);
    throw new GatewayError(failure.code);
  }
}
"""
CONFIG = """\
timeout: 30000
tries: 1
hosts:
  - gw-1.cluster.internal
  - gw-2.cluster.internal
  - gw-3.cluster.internal
"""
