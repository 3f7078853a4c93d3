"""Writes categories.parquet: categories as pandas and R write them, and small whole numbers.

    pip install pyarrow
    python tests/data/categories.py
"""

import pathlib

import pyarrow as pa
import pyarrow.parquet as pq


def categories(values, keys=pa.int8(), of=pa.string()):
    return pa.array(values, of).dictionary_encode().cast(pa.dictionary(keys, of))


N = 160
table = pa.table(
    {
        "participant": categories(["P1", "P2"] * (N // 2)),
        "level": categories([7, 8] * (N // 2), of=pa.int64()),
        "action": categories(["A+1", "B-2"] * (N // 2), pa.int32(), pa.large_string()),
        "condition": categories([None, "b"] * (N // 2)),
        "attempt": pa.array(range(1, N + 1), pa.int16()),
        "rating": pa.array([-3, None] * (N // 2), pa.int8()),
    }
)
pq.write_table(table, pathlib.Path(__file__).with_suffix(".parquet"))
