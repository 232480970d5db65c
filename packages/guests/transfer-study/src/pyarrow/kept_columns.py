"""The report of an upload: how much arrived, and a digest of it that equals that of topo-bench for equal contents."""

import base64
import datetime
import decimal
import hashlib
import hmac
import json
import math
import re
import struct

import pyarrow as pa

ROWS_PER_SAMPLE = 1024
EPOCH = datetime.datetime(1970, 1, 1)


class KeptColumns:
    """The report on an upload that `KeptColumns` of the package columns makes: equal digests mean equal contents."""

    def __init__(self, names, key):
        self.names = names
        self.hmac = hmac.new(key.encode(), digestmod=hashlib.sha256)
        self.values = [0] * len(names)
        self.taken = 0
        self.rows_until_sample = 0

    def add(self, batch):
        rows = batch.num_rows
        self.taken += rows
        shape = [rows]
        for i, column in enumerate(batch.columns):
            self.values[i] += rows - column.null_count
            shape += [column.null_count, extent_of(column) if column.null_count == 0 else 0]
        self.hmac.update(struct.pack(f"<{len(shape)}i", *shape))
        for column in batch.columns:
            if 0 < column.null_count < rows:
                self.hmac.update(presence(column, rows))
        if self.rows_until_sample <= 0:
            row = self.taken % rows
            self.hmac.update(f"[{','.join(json_of(column[row]) for column in batch.columns)}]".encode())
            self.rows_until_sample = ROWS_PER_SAMPLE
        self.rows_until_sample -= rows

    def report(self):
        digest = base64.urlsafe_b64encode(self.hmac.digest()).rstrip(b"=").decode()
        values = dict(zip(self.names, self.values))
        return json.dumps({"taken": self.taken, "passed": self.taken, "values": values, "digest": digest}).encode()


def extent_of(column):
    """Bytes of texts, elements of lists; 0 for values of one width."""
    if not (pa.types.is_string(column.type) or pa.types.is_list(column.type)):
        return 0
    offsets = column.buffers()[1]
    first, last = (struct.unpack_from("<i", offsets, 4 * row)[0] for row in (column.offset, column.offset + len(column)))
    return last - first


def presence(column, rows):
    """A bit per row, with zeros behind the last one."""
    bits = bytearray(column.is_valid().buffers()[1][: (rows + 7) // 8])
    if rows % 8 > 0:
        bits[-1] &= (1 << rows % 8) - 1
    return bytes(bits)


def json_of(scalar):
    """As JavaScript writes it: numbers in its form, times in ISO 8601."""
    if not scalar.is_valid:
        return "null"
    if pa.types.is_timestamp(scalar.type):
        time = EPOCH + datetime.timedelta(milliseconds=scalar.value)
        return f'"{time.isoformat(timespec="milliseconds")}Z"'
    value = scalar.as_py()
    if isinstance(value, float):
        return json_number(value)
    if isinstance(value, int) and abs(value) >= 2**53:
        value = str(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def json_number(value):
    """ECMA-262, Number::toString: the shortest digits that read back, without an exponent from 1e-6 up to 1e21."""
    if not math.isfinite(value):
        return "null"
    if value == 0:
        return "0"
    if 1e-6 <= abs(value) < 1e21:
        return re.sub(r"\.0+$", "", format(decimal.Decimal(repr(value)), "f"))
    return re.sub(r"e([+-])0+", r"e\1", repr(value))
