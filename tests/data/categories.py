"""Writes categories.parquet: categories as pandas and R write them, and small whole numbers.

    pip install pyarrow
    python tests/data/categories.py
"""

import pathlib

import pyarrow as pa
import pyarrow.parquet as pq


def categories(values, keys=pa.int8(), of=pa.string()):
    return pa.array(values, of).dictionary_encode().cast(pa.dictionary(keys, of))


def labels(part):
    """Forty categories of which no other part has any."""
    return pa.DictionaryArray.from_arrays(pa.array(range(40), pa.int8()), pa.array([f"{part}{i}" for i in range(40)]))


N = 160
table = pa.table(
    {
        "participant": categories(["P1", "P2"] * (N // 2)),
        "level": categories([7, 8] * (N // 2), of=pa.int64()),
        "action": categories(["A+1", "B-2"] * (N // 2), pa.int32(), pa.large_string()),
        "condition": categories([None, "b"] * (N // 2)),
        "attempt": pa.array(range(1, N + 1), pa.int16()),
        "rating": pa.array([-3, None] * (N // 2), pa.int8()),
        # Each part fits its keys of eight bits, all together do not.
        "label": pa.chunked_array([labels(part) for part in "abcd"]),
    }
)
pq.write_table(table, pathlib.Path(__file__).with_suffix(".parquet"))
