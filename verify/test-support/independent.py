"""Verifies a log of docs/SEALED-CALLS.md with nothing but Python's standard library, and shares no code with verify/.

Usage: independent.py ORIGIN [RPC [TERMS]]. Prints JSON: the log's size and root, each caller's figures, and all problems.
TERMS is JSON for After the fee: {"now": ms, "solPrice": USD or null, "fees": {caller: SOL a month}}.
"""

import base64
import hashlib
import json
import math
import sys
import urllib.request
from fractions import Fraction

ORIGIN, RPC = sys.argv[1], (sys.argv[2:] or [None])[0]
TERMS = json.loads(sys.argv[3]) if sys.argv[3:] else None
STAKES = [100, 1000, 10000]
DAY = 86400000
CAPS = [0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 40, 50, 75, 100, 150, 200]
problems = []


def check(is_right, message):
    if not is_right:
        problems.append(message)


def get(path):
    with urllib.request.urlopen(ORIGIN + path) as response:
        return response.read()


def call_rpc(method, *params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    request = urllib.request.Request(RPC, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)["result"]


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def unbase64(text):
    return base64.b64decode(text, validate=True)


def canonical(value):
    # Numbers of the log have no exponents, and its member names are ASCII.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, dict):
        return "{" + ",".join(canonical(k) + ":" + canonical(value[k]) for k in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


# Ed25519, RFC 8032
P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
L = 2**252 + 27742317777372353535851937790883648493


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def decompress(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P:
        raise ValueError("not a point")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = decompress((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(key, signature, text):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    h = int.from_bytes(hashlib.sha512(r + key + text).digest(), "little") % L
    left, right = multiply(s, BASE), add(decompress(r), multiply(h, decompress(key)))
    return s < L and (left[0] * right[2] - right[0] * left[2]) % P == 0 == (left[1] * right[2] - right[1] * left[2]) % P


def read_key(line):
    name, key_id, encoded = line.strip().split("+", 2)
    key = unbase64(encoded)
    check(sha256(name.encode() + b"\n" + key)[:4].hex() == key_id and key[0] == 1, "the key's id is wrong")
    return name, key


def read_checkpoint():
    name, key = read_key(get("/log/key").decode())
    text, signatures = get("/log/checkpoint").decode().split("\n\n")
    lines = [line.split(" ") for line in signatures.split("\n") if line.startswith("— " + name + " ")]
    notes = [unbase64(line[2]) for line in lines]
    own = [note[4:] for note in notes if note[:4] == sha256(name.encode() + b"\n" + key)[:4]]
    check(own and all(is_signed(key[1:], each, text.encode() + b"\n") for each in own), "the checkpoint isn't signed")
    origin, size, root = text.split("\n")[:3]
    check(origin == name, "the checkpoint is of another log")
    return name, int(size), root


def read_entries(size):
    for start in range(0, size, 256):
        width, digits = min(256, size - start), "%03d" % (start // 256)
        digits = digits.zfill(-(-len(digits) // 3) * 3)
        groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        place = "/".join(["x" + group for group in groups[:-1]] + groups[-1:])
        bundle, at = get("/log/tile/entries/" + place + (".p/%d" % width if width < 256 else "")), 0
        while at < len(bundle):
            length = int.from_bytes(bundle[at : at + 2], "big")
            yield bundle[at + 2 : at + 2 + length]
            at += 2 + length


def roots_of(hashes):
    """The root of the first 0, 1, 2, ... leaves."""
    roots, stack = [sha256()], []
    for leaf in hashes:
        size, node = 1, leaf
        while stack and stack[-1][0] == size:
            left = stack.pop()
            size, node = 2 * size, sha256(b"\1", left[1], node)
        stack.append((size, node))
        root = stack[-1][1]
        for _, left in reversed(stack[:-1]):
            root = sha256(b"\1", left, root)
        roots.append(root)
    return [base64.b64encode(root).decode() for root in roots]


def reserve(mark):
    price, liquidity = (float(mark["price"] or 0), mark["liquidityUsd"] or 0) if mark else (0, 0)
    return (price, liquidity / 2) if price > 0 and liquidity > 0 else None


def follower(entry_price, end, marks, stake=1000):
    change = (float(end["endPrice"]) - float(entry_price)) / float(entry_price)
    counted = change if end["uncounted"] is None else min(change, 0)
    if float(end["endPrice"]) == 0:
        return "ended_at_zero", -1.0, counted
    if marks["end"] is not None and marks["end"]["liquidityUsd"] == 0:
        return "no_liquidity", -1.0, counted
    if reserve(marks["open"]) and reserve(marks["end"]):
        (bought, buying), (sold, selling) = reserve(marks["open"]), reserve(marks["end"])
        spent = stake * 0.997
        worth = spent / (bought * (1 + spent / buying)) * 0.997 * sold
        return "marks", min(worth / (1 + worth / selling) / stake - 1, counted, 2), counted
    else:
        rule = "loss_without_mark" if change < 0 else "gain_without_mark"
    return rule, counted if rule == "loss_without_mark" else None, counted


def millionths(value):
    return math.floor(value * 1000000 + Fraction(1, 2))


def beyond_sol(opening, end, marks, rule, result):
    """The result in SOL of Proven, in millionths."""
    if result is None:
        return None
    result = Fraction(millionths(result), 1000000)
    prices = [Fraction((marks[side] or {}).get("solPriceUsd") or 0) for side in ("open", "end")]
    if 0 in prices:
        change = Fraction(end["endPrice"]) / Fraction(opening["entryPrice"]) - 1
        return min(0, millionths(change if rule == "marks" else result))
    counts = end["uncounted"] is None and end["time"] - opening["time"] >= 600000
    return min(millionths((1 + result) * prices[0] / prices[1] - 1), 2000000 if counts else 0)


def copied(opening, end, marks):
    """The results at the three stakes, and SOL's change, in millionths."""
    results = [follower(opening["entryPrice"], end, marks, stake)[1] for stake in STAKES]
    if None in results:
        return None
    bought, sold = [Fraction((marks[side] or {}).get("solPriceUsd") or 0) for side in ("open", "end")]
    is_known = bought > 0 and sold > 0
    sol = millionths(sold / bought - 1) if is_known else 0
    counts = is_known and end["uncounted"] is None and end["time"] - opening["time"] >= 600000
    return [millionths(each) if counts else min(millionths(each), sol) for each in results], sol


def after_fee_of(caller, calls, oldest_open):
    held = [(opened, ended) for ended, _, _, _, opened, *_ in counted_of(calls, oldest_open)]
    made = []
    for *_, is_late, (results, sol) in counted_of(calls, oldest_open):
        made.append(([min(each, sol) if is_late else each for each in results], sol))
    gains = [sum(results[place] for results, _ in made) * stake / 1e6 for place, stake in enumerate(STAKES)]
    held_sol = [sum(sol for _, sol in made) * stake / 1e6 for stake in STAKES]
    since = min((opened for opened, _ in held), default=TERMS["now"])
    months = max(1, (TERMS["now"] - since) / (30 * DAY))
    days = len({opened // DAY for opened, _ in held})
    most = max((sum(opened <= at <= ended for opened, ended in held) for at, _ in held), default=0)
    is_enough = len(held) >= 20 and days >= 10
    fee = 0 if TERMS["fees"][caller] == 0 else TERMS["solPrice"] and TERMS["fees"][caller] * TERMS["solPrice"]
    figures = {"results": len(held), "days": days, "mostAtOnce": most, "months": months, "feeUsd": fee}
    figures["gainUsd"], figures["solUsd"] = gains, held_sol
    figures["monthUsd"] = [gain / months - fee if is_enough and fee is not None else None for gain in gains]
    figures["monthSolUsd"] = [gain / months if is_enough else None for gain in held_sol]
    figures["paysFromUsd"] = pays_from(gains, fee * months) if is_enough and fee else None
    percent = ((gains[1] - held_sol[1]) / months - fee) / most / 10 if is_enough and fee is not None else None
    return {"afterFee": figures, "afterFeePercent": percent}


def pays_from(gains, fees):
    """Where straight lines through 0 and the gains first reach the fees."""
    points = [(0, 0), *zip(STAKES, gains)]
    for (left, low), (right, high) in zip(points, points[1:]):
        if low < fees <= high:
            return left + (right - left) * (fees - low) / (high - low)
    return None


def student_t(degrees):
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)
    density = lambda t: scale * (1 + t * t / degrees) ** (-(degrees + 1) / 2)
    # Simpson's rule over equal steps, until the half of 95% is reached; then the rest of the step is linear in the area.
    low, high = 1.9, 2.5
    for _ in range(45):
        middle, steps = (low + high) / 2, 400
        inner = sum((2 + 2 * (step % 2)) * density(middle * step / steps) for step in range(1, steps))
        area = middle / steps / 3 * (density(0) + density(middle) + inner)
        low, high = (middle, high) if area < 0.475 else (low, middle)
    return low


def counted_of(calls, oldest_open):
    """Of recorded ranked calls: time of the end, id, token, number and time of the opening, result, is late, copied."""
    known = [call for call in sorted(calls, reverse=True)[:500] if call[5] is not None]
    for call in known:
        if call[0] >= known[0][0] - 365 * DAY and (call[5] <= 0 or call[3] < oldest_open):
            yield call


def proven_of(calls, oldest_open):
    counted = [("", [""], -20.0)]
    for ended, _, token, _, opened, result, is_late, _ in counted_of(calls, oldest_open):
        days = list(range(opened // DAY, ended // DAY + 1))
        counted.append((token, days, 0 if is_late and result > 0 else result / 10000))
    size, spread = len(counted), {}
    for _, days, _ in counted:
        for day in days:
            spread[day] = spread.get(day, 0) + len(days) ** -0.5
    bets = {"tokens": len({token for token, _, _ in counted}), "days": size**2 / sum(each**2 for each in spread.values())}
    figures = {
        "provenResults": size - 1,
        "provenTokens": bets["tokens"] - 1,
        "provenBets": math.floor(bets["days"] + 1e-9),
    }
    if size < 21 or bets["tokens"] < 11 or figures["provenBets"] < 10:
        return {"proven": None, **figures}
    t = {name: student_t(count - 1) for name, count in bets.items()}
    best = -math.inf
    for cap in CAPS:
        mean = math.fsum(min(result, cap) for _, _, result in counted) / size
        sums = {"tokens": {}, "days": {}}
        for token, days, result in counted:
            rest = min(result, cap) - mean
            sums["tokens"][token] = sums["tokens"].get(token, 0) + rest
            for day in days:
                sums["days"][day] = sums["days"].get(day, 0) + rest / len(days) ** 0.5
        limits = [
            mean - t[name] * (count / (count - 1) * math.fsum(each**2 for each in sums[name].values())) ** 0.5 / size
            for name, count in bets.items()
        ]
        best = max(best, min(limits))
    return {"proven": best, **figures}


def main():
    name, size, root = read_checkpoint()
    data = list(read_entries(size))
    hashes = [sha256(b"\0", entry) for entry in data]
    roots = roots_of(hashes)
    check(len(data) == size and roots[-1] == root, "the root is another one")
    last, sealed, ended, callers, wallets, version, announced = {}, {}, {}, {}, set(), 1, [1]
    for index, leaf in enumerate(data):
        entry = json.loads(leaf)
        check(canonical(entry).encode() == leaf, "entry %d isn't canonical" % index)
        check(version <= entry["v"] and entry["v"] in announced, "entry %d has a wrong version" % index)
        version = entry["v"]
        if entry["kind"] == "format":
            check(entry["version"] > max(announced), "entry %d announces a version again" % index)
            announced.append(entry["version"])
        if entry["kind"] == "keys":
            wallets.add(entry["wallet"])
        if "caller" not in entry:
            continue
        caller, number = entry["caller"], entry["number"]
        here = "entry %d of %s: " % (number, caller)
        check((number - 1, entry["previous"]) == last.get(caller, (0, None)), here + "the chain is broken")
        last[caller] = number, base64.b64encode(hashes[index]).decode()
        calls = callers.setdefault(caller, {"calls": 0, "results": {}, "changes": {}, "beyond": {}})
        if entry["kind"] in ("opened", "updated"):
            sealed[caller, number] = entry["kind"], entry["commitment"], entry["v"], index
            calls["calls"] += entry["kind"] == "opened"
        elif entry["kind"] == "ended":
            for reveal in entry["reveals"]:
                kind, commitment, v, place = sealed.pop((caller, reveal["number"]), (None, None, None, index))
                places = places if kind == "updated" else (place, index)
                salt, content = unbase64(reveal["salt"]), reveal["content"]
                opened = base64.b64encode(sha256(salt, canonical(content).encode())).decode()
                is_right = len(salt) == 32 and opened == commitment and (content["call"], content["v"]) == (entry["call"], v)
                check(is_right and (kind == "opened") == (content["kind"] == "opened"), here + "a seal is broken")
            check(entry["reveals"] and entry["reveals"][0]["content"]["kind"] == "opened", here + "no opening")
            if entry["reveals"]:
                ended[entry["call"]] = entry, entry["reveals"][0]["content"], entry["reveals"][0]["number"], places
                opening = entry["reveals"][0]["content"]
                if opening["unranked"] is None:
                    calls["changes"][entry["call"]] = follower(opening["entryPrice"], entry, {"open": None, "end": None})[2]
        elif entry["kind"] == "marked":
            end, opening, opened, places = ended[entry["call"]]
            rule, result, _ = follower(opening["entryPrice"], end, entry)
            check(rule == entry["rule"], here + "the rule is another one")
            if opening["unranked"] is None:
                rounded = result if result is None else millionths(result) / 1000000
                calls["results"][entry["call"]] = end["time"], rounded
                result = beyond_sol(opening, end, entry, rule, result)
                times = dict(zip(places, (opening["time"], end["time"])))
                made = copied(opening, end, entry)
                calls["beyond"][entry["call"]] = end["time"], opening["mint"], opened, opening["time"], result, times, made
    anchors = read_anchors(name, roots, wallets) if RPC else []
    figures = {caller: figures_of(**calls) for caller, calls in callers.items()}
    for caller, figure in figures.items() if RPC else []:
        is_late = lambda place, time: not any(size > place and at <= time + 900000 for at, size in anchors)
        recorded = [
            (ended, call, mint, number, opened, result, any(is_late(*each) for each in times.items()), made)
            for call, (ended, mint, number, opened, result, times, made) in callers[caller]["beyond"].items()
        ]
        still_open = [number for (owner, number), seal in sealed.items() if owner == caller and seal[0] == "opened"]
        oldest_open = min(still_open, default=math.inf)
        figure.update(proven_of(recorded, oldest_open))
        if TERMS and caller in TERMS["fees"]:
            figure.update(after_fee_of(caller, recorded, oldest_open))
    print(json.dumps({"size": size, "root": root, "anchors": len(anchors), "callers": figures, "problems": problems}))


def signatures_of(wallet):
    page, before = None, {}
    while page != []:
        page = call_rpc("getSignaturesForAddress", wallet, {"limit": 1000, **before})
        before = {"before": page[-1]["signature"]} if page else before
        yield from page


def read_anchors(name, roots, wallets):
    anchors = []
    for wallet in wallets:
        for each in signatures_of(wallet):
            parts = (each["memo"] or "").split(" ")
            if each["err"] is not None or len(parts) != 4 or parts[1] != name:
                continue
            is_right = int(parts[2]) < len(roots) and roots[int(parts[2])] == parts[3]
            check(is_right, "an anchor is of another log")
            if is_right:
                anchors.append((each["blockTime"] * 1000, int(parts[2])))
    return anchors


def figures_of(calls, changes, results, **_):
    newest = sorted(results.items(), key=lambda each: (each[1][0], each[0]))[-200:]
    known = [result for _, (_, result) in newest if result is not None]
    mean = lambda values: sum(values) / len(values) * 100 if values else None
    return {
        "totalCalls": calls,
        "rankedCalls": len(changes),
        "winRate": mean([change > 0 for change in changes.values()]),
        "avgReturn": mean([min(change, 2) for change in changes.values()]),
        "followerCalls": len(known),
        "followerReturn": mean(known),
    }


if __name__ == "__main__":
    main()
