#!/usr/bin/env python3
"""Verifies an export of the audit log, made by `pdm audit export FILE`.

    python3 tools/verify-audit.py EXPORT [--key LINE]... [--checkpoint FILE]... [--json]

A second opinion: written for itself, in plain Python (3.9 or later, standard library alone), sharing nothing with the service but what is
written down: RFC 8785 (canonical JSON), RFC 6962 (hash tree), RFC 8032 (Ed25519), c2sp.org/signed-note, c2sp.org/tlog-checkpoint.

--key         a line as `pdm audit verify` prints it after "key"; kept elsewhere than the log, or it proves nothing
--checkpoint  a file of checkpoints that were kept outside (PDM_CHECKPOINT_FILE)

Exit: 0 good, 1 tampered with (the first bad record, seal, chain or checkpoint stands first), 2 cannot tell, 64 bad command line.
"""

import argparse
import base64
import functools
import hashlib
import json
import re
import sys

CHAIN_START = "0" * 64


# ---------------------------------------------------------------------------------------------------------------- canonical JSON, RFC 8785

class Number(str):
    """A number as it is written in the export: JavaScript writes numbers the way RFC 8785 asks for."""


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


# ---------------------------------------------------------------------------------------------------------------------- hash tree, RFC 6962

def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


class Tree:
    """The roots of the full subtrees, largest first: all that is needed to let a tree grow."""

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


# ------------------------------------------------------------------------------------------------------------------------ Ed25519, RFC 8032

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_1 = pow(2, (P - 1) // 4, P)


def added(a, b):
    x, y = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    z, t = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = y - x, t - z, t + z, y + x
    return e * f % P, g * h % P, f * g % P, e * h % P


def doubled(a):
    xx, yy = a[0] * a[0], a[1] * a[1]
    h, g = xx + yy, xx - yy
    e, f = h - (a[0] + a[1]) ** 2, 2 * a[2] * a[2] + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def combined(s, k, point):
    """s times the base point plus k times a point, in one go."""
    summands = (None, BASE, point, added(BASE, point))
    result = (0, 1, 1, 0)
    for bit in range(max(s.bit_length(), k.bit_length()) - 1, -1, -1):
        result = doubled(result)
        which = (s >> bit & 1) | (k >> bit & 1) << 1
        if which:
            result = added(result, summands[which])
    return result


def same_point(a, b):
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def x_of(y, sign):
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


def point_of(data):
    number = int.from_bytes(data, "little")
    y, sign = number & ((1 << 255) - 1), number >> 255
    x = x_of(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (x_of(BASE_Y, 0), BASE_Y, 1, x_of(BASE_Y, 0) * BASE_Y % P)


@functools.lru_cache(maxsize=1024)
def is_signed(key, text, signature):
    public, r = point_of(key), point_of(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if public is None or r is None or len(signature) != 64 or s >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % ORDER
    minus = (P - public[0], public[1], 1, P - public[3])
    return same_point(combined(s, k, minus), r)


# ---------------------------------------------------------------------------------------------------------------- signed notes, checkpoints

SIGNATURE = re.compile("\u2014 ([^+\\s]+) ([0-9A-Za-z+/]+={0,2})")
CHECKPOINT = re.compile("([^\n]+)\n(0|[1-9][0-9]{0,15})\n([0-9A-Za-z+/]{43}=)\n(?:[^\n]+\n)*\n")


def read_key(line):
    """(name, id, public key) of a line `<name>+<id>+<key>`."""
    match = re.fullmatch(r"([^+\s]+)\+([0-9a-f]{8})\+([0-9A-Za-z+/]{44})", line.strip())
    if not match:
        return None
    data = base64.b64decode(match[3])
    identity = hashlib.sha256(match[1].encode() + b"\n" + data).digest()[:4]
    return (match[1], identity, data[1:]) if data[0] == 1 and identity.hex() == match[2] else None


def read_checkpoint(note):
    """(origin, size, root) of what a note says, whoever signed it."""
    match = CHECKPOINT.match(note)
    return (match[1], int(match[2]), base64.b64decode(match[3])) if match else None


def is_signed_note(note, keys):
    """Whether a known key signed it; one bad signature of a known key spoils it, those of unknown keys do not count."""
    end = note.rfind("\n\n") + 1
    lines = note[end + 1:].split("\n")
    if not end or lines.pop() != "" or not lines:
        return False
    good = []
    for line in lines:
        match = SIGNATURE.fullmatch(line)
        if not match:
            return False
        data = base64.b64decode(match[2])
        for name, identity, key in keys:
            if name == match[1] and identity == data[:4]:
                good.append(is_signed(key, note[:end].encode(), data[4:]))
    return bool(good) and all(good)


def notes_in(text):
    """The whole notes in a file that checkpoints are appended to; a torn one is passed over."""
    paragraphs = [paragraph.strip("\n") for paragraph in re.split("\n{2,}", text) if paragraph.strip("\n")]
    pairs = zip(paragraphs, paragraphs[1:])
    notes = ["%s\n\n%s\n" % pair for pair in pairs if all(SIGNATURE.fullmatch(line) for line in pair[1].split("\n"))]
    return [note for note in notes if read_checkpoint(note)]


# ------------------------------------------------------------------------------------------------------------------------------- the log

def read_export(lines):
    """The parts of an export: a header, then a line for each checkpoint, head, record, seal and record that waits to be sealed."""
    lines = iter(lines)
    header = parse(next(lines, "null"))
    if not isinstance(header, dict) or header.get("export") != "pdm audit log" or header.get("version") != 1:
        raise ValueError("This is no export of an audit log, version 1.")
    log = {"tree": header["tree"], "checkpoint": [], "head": [], "record": [], "seal": [], "pending": []}
    whole = False
    for line in lines:
        ((kind, value),) = parse(line).items()
        if kind == "end":
            whole = True
        else:
            log[kind].append(value)
    if not whole:
        raise ValueError("The export is cut off: its last line is missing.")
    return log


def verify(log, keys=(), outside=()):
    """{verdict, faults, doubts, ...} of a log as read_export gives it."""
    faults, doubts = [], []

    def fault(name, says):
        faults.append({"id": name, "says": says})

    verify_chains(log, fault)
    tree = log["tree"]
    origin = "pdm/audit/" + tree["log"] if tree else None
    own = [key for key in keys if key[0] == origin]
    if tree and tree["note"] and not own:
        doubts.append("No key of this log was given: signatures were not checked.")
    marks = stored_marks(log, origin, own, fault) + outside_marks(outside, origin, own, fault, doubts)
    root = verify_tree(log, marks, fault)
    return {
        "verdict": "tampered" if faults else "unknown" if doubts else "good",
        "faults": faults,
        "doubts": doubts,
        "records": len(log["record"]),
        "sealed": len(log["seal"]),
        "pending": len(log["pending"]),
        "origin": origin,
        "root": root,
    }


def verify_chains(log, fault):
    heads = {head["_id"]: head for head in log["head"]}
    seals = {seal["auditId"]: seal for seal in log["seal"]}
    pending = {entry["_id"] for entry in log["pending"]}
    chains = {}
    for record in log["record"]:
        chains.setdefault(record["chain"], []).append(record)
    for name, records in chains.items():
        records.sort(key=lambda record: float(record["chainSeq"]))
        number, before, place, waits = 0, CHAIN_START, 0, False
        for record in records:
            name_of = record["_id"]
            if record["chainSeq"] != number + 1:
                fault(name_of, "is number %s of %s, after number %s" % (record["chainSeq"], name, number))
            if record["prevHash"] != before:
                fault(name_of, "does not follow the record before it")
            if record["hash"] != record_hash(record):
                fault(name_of, "is not as it was written")
            seal = seals.get(name_of)
            if seal is None and name_of not in pending:
                fault(name_of, "is neither sealed nor waiting to be")
            if seal is not None:
                if seal["hash"] != record["hash"]:
                    fault(name_of, "has another hash than when it was sealed")
                if waits or seal["_id"] <= place:
                    fault(name_of, "was sealed against the order of its chain")
                place = seal["_id"]
            waits = waits or seal is None
            number, before = record["chainSeq"], record["hash"]
        head = heads.get(name)
        if head is None or head["chainSeq"] != number or head["hash"] != before:
            fault(name, "does not end where its head says")
    for name in heads:
        if name not in chains:
            fault(name, "has a head and no records")


def stored_marks(log, origin, keys, fault):
    notes = [(checkpoint["_id"], checkpoint["note"], "checkpoint %s" % checkpoint["_id"]) for checkpoint in log["checkpoint"]]
    tree = log["tree"]
    if tree and tree["size"]:
        notes.append((tree["size"], tree["note"] or "", "tree"))
    marks = []
    for size, note, name in notes:
        said = read_checkpoint(note)
        if said is None or said[:2] != (origin, size) or (keys and not is_signed_note(note, keys)):
            fault(name, "is not a checkpoint that this log signed")
        else:
            marks.append((size, said[2], name))
    return marks


def outside_marks(notes, origin, keys, fault, doubts):
    marks = []
    for note in notes:
        said = read_checkpoint(note)
        if said is None:
            doubts.append("A checkpoint from outside cannot be read.")
        elif origin is None:
            fault("tree", "a checkpoint from outside covers %d records, and the log has none" % said[1])
        elif said[0] != origin:
            doubts.append("A checkpoint from outside is of another log: %s." % said[0])
        else:
            if keys and not is_signed_note(note, keys):
                doubts.append("A checkpoint from outside is not signed with a key of this log.")
            marks.append((said[1], said[2], "checkpoint %d from outside" % said[1]))
    return marks


def verify_tree(log, marks, fault):
    tree = log["tree"]
    size = tree["size"] if tree else 0
    known = {record["_id"] for record in log["record"]}
    due = sorted(marks, key=lambda mark: mark[0])
    grown = Tree()
    for place, seal in enumerate(sorted(log["seal"], key=lambda seal: seal["_id"]), 1):
        if seal["_id"] != place:
            fault("seal %d" % place, "the places of the log have a gap, or one is taken twice")
            return None
        if seal["auditId"] not in known:
            fault(seal["auditId"], "is sealed as number %d, and gone" % place)
        grown.add(bytes.fromhex(seal["hash"]))
        while due and due[0][0] <= grown.size:
            mark = due.pop(0)
            if mark[0] == grown.size and mark[1] != grown.root():
                fault(mark[2], "something among the first %d records was changed after it was sealed" % mark[0])
    if grown.size != size:
        fault("tree", "has %d records, and %d are sealed" % (size, grown.size))
    elif tree and [peak.hex() for peak in grown.peaks] != tree["peaks"]:
        fault("tree", "is not that of the sealed records")
    for mark in due:
        if mark[0] > size:
            fault(mark[2], "covers %d records, and the log has %d: it was cut off" % (mark[0], size))
    return base64.b64encode(grown.root()).decode()


def main():
    parser = argparse.ArgumentParser(description="Verifies an export of the audit log.")
    parser.add_argument("export")
    parser.add_argument("--key", action="append", default=[])
    parser.add_argument("--checkpoint", action="append", default=[])
    parser.add_argument("--json", action="store_true")
    parser.error = lambda message: sys.exit(print("verify-audit: " + message, file=sys.stderr) or 64)
    given = parser.parse_args()
    keys = [read_key(line) for line in given.key]
    if None in keys:
        parser.error("--key must be a line as `pdm audit verify` prints it after \"key\".")
    try:
        outside = [note for name in given.checkpoint for note in notes_in(open(name, encoding="utf-8").read())]
        with open(given.export, encoding="utf-8") as lines:
            log = read_export(lines)
    except (OSError, ValueError, KeyError) as error:
        print("verify-audit: %s" % error, file=sys.stderr)
        return 2
    found = verify(log, keys, outside)
    if given.json:
        print(json.dumps(found))
    else:
        print("%(verdict)s: %(records)d records, %(sealed)d sealed, %(pending)d wait to be; log %(origin)s, root %(root)s" % found)
        for one in found["faults"]:
            print("  %(id)s  %(says)s" % one)
        for doubt in found["doubts"]:
            print("  ?  " + doubt)
    return {"good": 0, "tampered": 1, "unknown": 2}[found["verdict"]]


if __name__ == "__main__":
    sys.exit(main())
