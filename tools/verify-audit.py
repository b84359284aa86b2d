#!/usr/bin/env python3
"""Verifies an export of the audit log, created by `pdm audit export FILE`.

If the export contains the stored records (`pdm audit export --records FILE`), they are compared with the log.

    python3 tools/verify-audit.py EXPORT [--key LINE]... [--checkpoint FILE]... [--json]

An independent implementation in plain Python (3.9 or later, standard library only). It shares no code with the
service, only standards: RFC 8785 (canonical JSON), RFC 6962 (Merkle tree), RFC 8032 (Ed25519), c2sp.org/signed-note
and c2sp.org/tlog-checkpoint.

--key         a line that `pdm audit verify` prints after "key"; it is only evidence if it was stored apart from the log
--checkpoint  a file of checkpoints stored outside the service (PDM_CHECKPOINT_FILE)

Exit codes: 0 intact, 1 tampered (the first bad record, seal, chain or checkpoint is listed first), 2 unknown, 64 usage
error.
"""

import argparse
import base64
import functools
import hashlib
import json
import re
import sys

CHAIN_START = "0" * 64


# --- canonical JSON, RFC 8785

class Number(str):
    """The text of a number in the export: JavaScript formats numbers as RFC 8785 requires."""


def parse(text):
    return json.loads(text, parse_float=Number)


def canonical(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(canonical(key) + ":" + canonical(value[key]) for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def record_hash(record):
    hashed = {field: value for field, value in record.items() if field not in ("seq", "prevHash", "hash")}
    text = str(record.get("prevHash")) + canonical(hashed)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# --- Merkle tree, RFC 6962

def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


class Tree:
    """A Merkle tree, stored as the roots of its complete subtrees, largest first: enough to append leaves."""

    def __init__(self):
        self.size = 0
        self.peaks = []

    def add(self, leaf_data):
        node = sha256(b"\0", leaf_data)
        rest = self.size
        while rest & 1:
            node = sha256(b"\1", self.peaks.pop(), node)
            rest >>= 1
        self.peaks.append(node)
        self.size += 1

    def root(self):
        if not self.peaks:
            return sha256()
        node = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            node = sha256(b"\1", peak, node)
        return node


# --- Ed25519, RFC 8032

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_1 = pow(2, (P - 1) // 4, P)


def add_points(a, b):
    x, y = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    z, t = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = y - x, t - z, t + z, y + x
    return e * f % P, g * h % P, f * g % P, e * h % P


def double_point(a):
    xx, yy = a[0] * a[0], a[1] * a[1]
    h, g = xx + yy, xx - yy
    e, f = h - (a[0] + a[1]) ** 2, 2 * a[2] * a[2] + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply_add(s, k, point):
    """Returns s * BASE + k * point, with one shared sequence of doublings."""
    terms = (None, BASE, point, add_points(BASE, point))
    result = (0, 1, 1, 0)
    for bit in range(max(s.bit_length(), k.bit_length()) - 1, -1, -1):
        result = double_point(result)
        index = (s >> bit & 1) | (k >> bit & 1) << 1
        if index:
            result = add_points(result, terms[index])
    return result


def points_equal(a, b):
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * SQRT_MINUS_1 % P
    if (x * x - square) % P:
        return None
    return P - x if (x & 1) != sign else x


def decode_point(data):
    number = int.from_bytes(data, "little")
    y, sign = number & ((1 << 255) - 1), number >> 255
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover_x(BASE_Y, 0), BASE_Y, 1, recover_x(BASE_Y, 0) * BASE_Y % P)


@functools.lru_cache(maxsize=1024)
def is_valid_signature(key, text, signature):
    public, r = decode_point(key), decode_point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if public is None or r is None or len(signature) != 64 or s >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % ORDER
    negated = (P - public[0], public[1], 1, P - public[3])
    return points_equal(multiply_add(s, k, negated), r)


# --- signed notes and checkpoints

SIGNATURE = re.compile("\u2014 ([^+\\s]+) ([0-9A-Za-z+/]+={0,2})")
CHECKPOINT = re.compile("([^\n]+)\n(0|[1-9][0-9]{0,15})\n([0-9A-Za-z+/]{43}=)\n(?:[^\n]+\n)*\n")


def read_key(line):
    """Returns (name, id, public key) of a line `<name>+<id>+<key>`, or None."""
    match = re.fullmatch(r"([^+\s]+)\+([0-9a-f]{8})\+([0-9A-Za-z+/]{44})", line.strip())
    if not match:
        return None
    data = base64.b64decode(match[3])
    identity = hashlib.sha256(match[1].encode() + b"\n" + data).digest()[:4]
    return (match[1], identity, data[1:]) if data[0] == 1 and identity.hex() == match[2] else None


def read_checkpoint(note):
    """Returns (origin, size, root) of a note without checking its signatures, or None."""
    match = CHECKPOINT.match(note)
    return (match[1], int(match[2]), base64.b64decode(match[3])) if match else None


def is_signed_note(note, keys):
    """Whether at least one known key signed the note and no signature by a known key is invalid."""
    end = note.rfind("\n\n") + 1
    lines = note[end + 1:].split("\n")
    if not end or lines.pop() != "" or not lines:
        return False
    results = []
    for line in lines:
        match = SIGNATURE.fullmatch(line)
        if not match:
            return False
        data = base64.b64decode(match[2])
        for name, identity, key in keys:
            if name == match[1] and identity == data[:4]:
                results.append(is_valid_signature(key, note[:end].encode(), data[4:]))
    return bool(results) and all(results)


def parse_notes(text):
    """Returns the complete notes of a checkpoint file; skips a truncated one."""
    paragraphs = [paragraph.strip("\n") for paragraph in re.split("\n{2,}", text) if paragraph.strip("\n")]
    pairs = zip(paragraphs, paragraphs[1:])
    notes = ["%s\n\n%s\n" % pair for pair in pairs if all(SIGNATURE.fullmatch(line) for line in pair[1].split("\n"))]
    return [note for note in notes if read_checkpoint(note)]


# --- the audit log

def read_export(lines):
    """Returns the entries of an export by type: checkpoints, heads, records, seals and pending records."""
    lines = iter(lines)
    header = parse(next(lines, "null"))
    if not isinstance(header, dict) or header.get("export") != "pdm audit log" or header.get("version") != 1:
        raise ValueError("The file is not a version 1 export of the audit log.")
    log = {"tree": header["tree"], "checkpoint": [], "head": [], "record": [], "seal": [], "pending": [], "stored": []}
    log["comparedAt"] = header.get("records")
    complete = False
    for line in lines:
        ((kind, value),) = parse(line).items()
        if kind == "end":
            complete = True
        else:
            log[kind].append(value)
    if not complete:
        raise ValueError("The export is truncated: its last line is missing.")
    return log


def verify(log, keys=(), external=()):
    """Verifies a log returned by read_export. Returns {verdict, errors, warnings, ...}."""
    errors, warnings = [], []

    def report(entry_id, message):
        errors.append({"id": entry_id, "message": message})

    verify_chains(log, report)
    compare_records(log, report, warnings)
    tree = log["tree"]
    origin = "pdm/audit/" + tree["log"] if tree else None
    log_keys = [key for key in keys if key[0] == origin]
    if tree and tree["note"] and not log_keys:
        warnings.append("No key of this log was given: signatures were not checked.")
    checkpoints = stored_checkpoints(log, origin, log_keys, report)
    checkpoints += external_checkpoints(external, origin, log_keys, report, warnings)
    root = verify_tree(log, checkpoints, report)
    return {
        "verdict": "tampered" if errors else "unknown" if warnings else "intact",
        "errors": errors,
        "warnings": warnings,
        "records": len(log["record"]),
        "sealed": len(log["seal"]),
        "pending": len(log["pending"]),
        "origin": origin,
        "root": root,
    }


def verify_chains(log, report):
    heads = {head["_id"]: head for head in log["head"]}
    seals = {seal["auditId"]: seal for seal in log["seal"]}
    pending = {entry["_id"] for entry in log["pending"]}
    chains = {}
    for record in log["record"]:
        chains.setdefault(record["chain"], []).append(record)
    for name, records in chains.items():
        records.sort(key=lambda record: float(record["chainSeq"]))
        sequence, previous_hash, last_position, pending_before = 0, CHAIN_START, 0, False
        for record in records:
            record_id = record["_id"]
            if record["chainSeq"] != sequence + 1:
                report(record_id, "has chainSeq %s in %s, expected %s" % (record["chainSeq"], name, sequence + 1))
            if record["prevHash"] != previous_hash:
                report(record_id, "prevHash does not match the previous record")
            if record["hash"] != record_hash(record):
                report(record_id, "hash does not match the content")
            seal = seals.get(record_id)
            if seal is None and record_id not in pending:
                report(record_id, "is neither sealed nor pending")
            if seal is not None:
                if seal["hash"] != record["hash"]:
                    report(record_id, "hash differs from the sealed hash")
                if pending_before or seal["_id"] <= last_position:
                    report(record_id, "was sealed out of chain order")
                last_position = seal["_id"]
            pending_before = pending_before or seal is None
            sequence, previous_hash = record["chainSeq"], record["hash"]
        head = heads.get(name)
        if head is None or head["chainSeq"] != sequence or head["hash"] != previous_hash:
            report(name, "the chain does not end at its head")
    for name in heads:
        if name not in chains:
            report(name, "the chain has a head but no records")


def compare_records(log, report, warnings):
    """Replays the log and compares the stored records of the export with it."""
    now = log["comparedAt"]
    if now is None:
        return
    states, unknown = replay(log)
    stored = {(entry["collection"], entry["id"]): entry for entry in log["stored"]}
    expected = {key: fields for state in states.values() for key, fields in state.items()}
    unknown_records = {key for key, entry in stored.items() if entry["chain"] in unknown}
    if unknown_records:
        warnings.append("%d records of an earlier version have no baseline." % len(unknown_records))
    for key in sorted(set(stored) | set(expected)):
        logged, entry = expected.get(key), stored.get(key)
        actual = entry and entry["fields"]
        name = "%s %s" % key
        if key in unknown_records or is_expired(key[0], logged or actual, now):
            continue
        if logged is None:
            report(key[1], name + " exists in the store, but not according to the log")
        elif actual is None:
            report(key[1], name + " is missing; according to the log it exists")
        else:
            for field in sorted(set(logged) | set(actual)):
                values = logged.get(field), actual.get(field)
                if canonical(values[0]) != canonical(values[1]):
                    text = "%s: the log has %s for %s, but the store has %s"
                    report(key[1], text % (name, canonical(values[0]), field, canonical(values[1])))


def is_expired(collection, fields, now):
    return collection in ("sessions", "draftBackups") and fields["expiresAt"] <= now


def replay(log):
    """Returns the state of each chain, and the chains of an earlier version without a baseline."""
    states, baselines = {}, set()
    for record in sorted(log["record"], key=lambda record: float(record["chainSeq"])):
        chain, changes = record["chain"], record.get("records", [])
        if record["action"] == "store.baseline":
            if chain not in baselines:
                states[chain] = {}
            baselines.add(chain)
        else:
            baselines.discard(chain)
            if record["chainSeq"] == 1 and changes:
                states[chain] = {}
        if chain not in states:
            continue
        state = states[chain]
        for change in changes:
            key = (change["collection"], change["id"])
            if change["fields"] is not None:
                state.setdefault(key, {}).update(change["fields"])
                continue
            state.pop(key, None)
            if key[0] == "documents":
                states[chain] = state = {other: fields for other, fields in state.items() if other[0] == "numbers"}
    return states, {record["chain"] for record in log["record"]} - set(states)


def stored_checkpoints(log, origin, keys, report):
    notes = [(stored["_id"], stored["note"], "checkpoint %s" % stored["_id"]) for stored in log["checkpoint"]]
    tree = log["tree"]
    if tree and tree["size"]:
        notes.append((tree["size"], tree["note"] or "", "tree"))
    checkpoints = []
    for size, note, name in notes:
        parsed = read_checkpoint(note)
        if parsed is None or parsed[:2] != (origin, size) or (keys and not is_signed_note(note, keys)):
            report(name, "is not a checkpoint signed by this log")
        else:
            checkpoints.append((size, parsed[2], name))
    return checkpoints


def external_checkpoints(notes, origin, keys, report, warnings):
    checkpoints = []
    for note in notes:
        parsed = read_checkpoint(note)
        if parsed is None:
            warnings.append("An external checkpoint cannot be parsed.")
        elif origin is None:
            report("tree", "an external checkpoint covers %d records, but the log is empty" % parsed[1])
        elif parsed[0] != origin:
            warnings.append("An external checkpoint belongs to another log: %s." % parsed[0])
        else:
            if keys and not is_signed_note(note, keys):
                warnings.append("An external checkpoint is not signed with a key of this log.")
            checkpoints.append((parsed[1], parsed[2], "external checkpoint %d" % parsed[1]))
    return checkpoints


def verify_tree(log, checkpoints, report):
    tree = log["tree"]
    size = tree["size"] if tree else 0
    known = {record["_id"] for record in log["record"]}
    remaining = sorted(checkpoints, key=lambda checkpoint: checkpoint[0])
    rebuilt = Tree()
    for position, seal in enumerate(sorted(log["seal"], key=lambda seal: seal["_id"]), 1):
        if seal["_id"] != position:
            report("seal %d" % position, "log positions have a gap or a duplicate")
            return None
        if seal["auditId"] not in known:
            report(seal["auditId"], "is sealed at position %d but missing" % position)
        rebuilt.add(bytes.fromhex(seal["hash"]))
        while remaining and remaining[0][0] <= rebuilt.size:
            count, root, name = remaining.pop(0)
            if count == rebuilt.size and root != rebuilt.root():
                report(name, "one of the first %d records was changed after sealing" % count)
    if rebuilt.size != size:
        report("tree", "covers %d records, but %d are sealed" % (size, rebuilt.size))
    elif tree and [peak.hex() for peak in rebuilt.peaks] != tree["peaks"]:
        report("tree", "does not match the sealed records")
    for count, _, name in remaining:
        if count > size:
            report(name, "covers %d records, but the log has only %d: it was truncated" % (count, size))
    return base64.b64encode(rebuilt.root()).decode()


def main():
    parser = argparse.ArgumentParser(description="Verifies an export of the audit log.")
    parser.add_argument("export")
    parser.add_argument("--key", action="append", default=[])
    parser.add_argument("--checkpoint", action="append", default=[])
    parser.add_argument("--json", action="store_true")
    parser.error = lambda message: sys.exit(print("verify-audit: " + message, file=sys.stderr) or 64)
    options = parser.parse_args()
    keys = [read_key(line) for line in options.key]
    if None in keys:
        parser.error("--key must be a line that `pdm audit verify` prints after \"key\".")
    try:
        external = [note for name in options.checkpoint for note in parse_notes(open(name, encoding="utf-8").read())]
        with open(options.export, encoding="utf-8") as lines:
            log = read_export(lines)
    except (OSError, ValueError, KeyError) as error:
        print("verify-audit: %s" % error, file=sys.stderr)
        return 2
    result = verify(log, keys, external)
    if options.json:
        print(json.dumps(result))
    else:
        counts = "%(records)d records, %(sealed)d sealed, %(pending)d pending"
        print(("%(verdict)s: " + counts + "; log %(origin)s, root %(root)s") % result)
        for error in result["errors"]:
            print("  %(id)s  %(message)s" % error)
        for warning in result["warnings"]:
            print("  ?  " + warning)
    return {"intact": 0, "tampered": 1, "unknown": 2}[result["verdict"]]


if __name__ == "__main__":
    sys.exit(main())
