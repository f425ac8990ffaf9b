# SPDX-License-Identifier: MIT
"""The tables of a fleet, in SQL that both Spark and DuckDB accept, from the rows of its recordings (analyse.py).

All tables are computed from the table `rows`. Keys are the attributes whose values are not merged. Everything is a sum, a
minimum or a maximum over recordings, so neither their order nor how they are split matters; quantiles are those of
`ros2-latency merge`: the middle of the bucket in which the running count reaches its share.
"""
import re

# As in `ros2-latency merge`, see its manual page
OUTLIER_RATIO, OUTLIER_SAMPLES, OUTLIER_ROBOTS, OUTLIERS_KEPT = 2, 10, 5, 5

SERIES = ("tab", "series", "statistic")
QUANTILES = {"p50_ns": 0.5, "p90_ns": 0.9, "p99_ns": 0.99}

MIDDLE = """CASE WHEN low_ns < 0 THEN high_ns - 1 - CAST(floor((high_ns - low_ns) / 2) AS BIGINT)
            ELSE low_ns + CAST(floor((high_ns - low_ns) / 2) AS BIGINT) END"""


def listed(names, prefix=""):
    return ", ".join(f"{prefix}{quoted(name)}" for name in names)


QUOTE = '"'  # of names; run_spark.py sets that of Spark


def quoted(name):
    return QUOTE + name.replace(QUOTE, QUOTE * 2) + QUOTE


def literal(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


def rank(quantile):
    """The rank of the sample at a quantile, as in duration_statistics_quantile(): 0.07 of 100 is the 7th, not the 8th."""
    return f"ceil(CAST({quantile} AS DOUBLE) * CAST(total AS DOUBLE) * CAST('0.99999999999999977796' AS DOUBLE))"


def series_by(keys):
    """SELECT: n, sum, extremes and quantiles of every series, by these attributes."""
    group = listed([*keys, *SERIES])
    same = " AND ".join(f"t.{quoted(name)} = q.{quoted(name)}" for name in [*keys, *SERIES])
    at = ",\n           ".join(f"min(CASE WHEN upto >= {rank(share)} THEN middle END) AS {name}" for name, share in QUANTILES.items())
    clamped = ",\n       ".join(
        f"CASE WHEN {rank(share)} <= 1 THEN min_ns WHEN {rank(share)} >= total THEN max_ns "
        f"ELSE greatest(min_ns, least(max_ns, q.{name})) END AS {name}" for name, share in QUANTILES.items())
    return f"""
SELECT {listed([*keys, *SERIES], "t.")}, total AS n, sum_ns, CAST(sum_ns AS DOUBLE) / total AS mean_ns, min_ns, {clamped}, max_ns,
       recordings
FROM (SELECT {group}, CAST(sum(n) AS BIGINT) AS total, sum(CAST(sum_ns AS DECIMAL(38, 0))) AS sum_ns, min(min_ns) AS min_ns,
             max(max_ns) AS max_ns, count(DISTINCT recording) AS recordings
      FROM rows WHERE kind = 'totals' GROUP BY {group}) t
JOIN (SELECT {group}, {at}
      FROM (SELECT {group}, {MIDDLE} AS middle,
                   sum(n) OVER (PARTITION BY {group} ORDER BY low_ns) AS upto, sum(n) OVER (PARTITION BY {group}) AS total
            FROM (SELECT {group}, low_ns, high_ns, CAST(sum(n) AS BIGINT) AS n
                  FROM rows WHERE kind = 'bucket' GROUP BY {group}, low_ns, high_ns) summed) running
      GROUP BY {group}) q
ON {same}"""


def counts_by(keys):
    group = listed([*keys, *SERIES])
    return f"""
SELECT {group}, CASE WHEN kind = 'count' THEN CAST(sum(n) AS BIGINT) ELSE max(n) END AS n
FROM rows WHERE kind IN ('count', 'largest') GROUP BY kind, {group}"""


def changes(source, keys, attribute, values):
    """How the series change from each value of an attribute to the next one, in the given order. `source`: series by all keys."""
    others = [key for key in keys if key != attribute]
    window = f"OVER (PARTITION BY {listed([*others, *SERIES])} ORDER BY position)"
    order = ", ".join(f"({literal(value)}, {index})" for index, value in enumerate(values))
    compared, previous = quoted(attribute), quoted(f"previous_{attribute}")
    before = ", ".join(f"lag({name}) {window} AS {alias}" for name, alias in
                       ((compared, previous), ("n", "previous_n"), ("p50_ns", "previous_p50_ns"),
                        ("p99_ns", "previous_p99_ns")))
    return f"""
SELECT {listed([*others, *SERIES])}, {compared}, {previous}, n, previous_n, p50_ns, previous_p50_ns,
       (CAST(p50_ns AS DOUBLE) / nullif(previous_p50_ns, 0) - 1) * 100 AS p50_change_percent, p99_ns, previous_p99_ns,
       (CAST(p99_ns AS DOUBLE) / nullif(previous_p99_ns, 0) - 1) * 100 AS p99_change_percent
FROM (SELECT {listed([*others, *SERIES])}, s.{compared}, n, p50_ns, p99_ns, {before}
      FROM {source} s
      JOIN (SELECT * FROM (VALUES {order}) AS v(value, position)) o ON s.{compared} = o.value) compared
WHERE {previous} IS NOT NULL"""


def worst_robots(source, keys, robot):
    """Robots whose p99 is far from that of others with the same attributes. `source`: series by all keys and the robot."""
    others, named = [key for key in keys if key != robot], quoted(robot)
    group = listed([*others, *SERIES])
    same = " AND ".join(f"r.{quoted(name)} = f.{quoted(name)}" for name in [*others, *SERIES])
    return f"""
SELECT {group}, {named}, n, p50_ns, p99_ns, median_p99_ns, ratio, robots
FROM (SELECT {listed([*others, *SERIES], "r.")}, {named}, n, p50_ns, p99_ns, median_p99_ns,
             CAST(p99_ns AS DOUBLE) / nullif(median_p99_ns, 0) AS ratio, robots,
             row_number() OVER (PARTITION BY {listed([*others, *SERIES], "r.")} ORDER BY p99_ns DESC, {named}) AS place
      FROM {source} r
      JOIN (SELECT {group}, count(*) AS robots, percentile_disc(0.5) WITHIN GROUP (ORDER BY p99_ns) AS median_p99_ns,
                   percentile_disc(0.25) WITHIN GROUP (ORDER BY p99_ns) AS first_ns,
                   percentile_disc(0.75) WITHIN GROUP (ORDER BY p99_ns) AS third_ns
            FROM {source} WHERE n >= {OUTLIER_SAMPLES} GROUP BY {group}) f
      ON {same}
      WHERE n >= {OUTLIER_SAMPLES} AND robots >= {OUTLIER_ROBOTS} AND p99_ns > {OUTLIER_RATIO} * median_p99_ns
            AND p99_ns > third_ns + 1.5 * (third_ns - first_ns)) ranked
WHERE place <= {OUTLIERS_KEPT}"""


def recordings(attributes):
    return f"SELECT recording, {''.join(f'{quoted(name)}, ' for name in attributes)}statistic AS status, problem FROM rows WHERE kind = 'recording'"


def version_key(text):
    """The key that sorts 1.9 before 1.10."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", text) if part]


def statements(attributes, by, robot, compared, versions):
    """The SELECTs by name: first those whose result several tables use and is to be kept, then that of each table."""
    keys = by
    kept = {"series_by_keys": series_by(keys)}
    made = {"recordings": recordings(attributes), "series": "SELECT * FROM series_by_keys", "counts": counts_by(keys)}
    if robot:
        kept["series_by_robot"] = series_by([*[key for key in keys if key != robot], robot])
        made["worst_robots"] = worst_robots("series_by_robot", keys, robot)
    if compared and versions:
        source = "series_by_keys" if compared in keys else "series_by_compared"
        if compared not in keys:
            kept[source] = series_by([*keys, compared])
        made["changes"] = changes(source, [*keys, compared], compared, sorted(versions, key=version_key))
    return kept, made


def add_options(parser):
    parser.add_argument("--by", default=None, metavar="ATTRIBUTE,…",
                        help="rows of other values of these are kept apart; default: the attribute of --compare")
    parser.add_argument("--robot", default="robot", metavar="ATTRIBUTE", help="which names a robot; default: robot")
    parser.add_argument("--compare", default="version", metavar="ATTRIBUTE",
                        help="each value of which is compared with the one before it; default: version")


def choose(attributes, arguments):
    """The attributes for by, robot and compare that the manifest has."""
    def column(name):
        """Of the attribute, which may have another name in the tables (analyse.column_names())."""
        return name if name in attributes else next((taken for taken in attributes if re.fullmatch("(manifest_)+" + re.escape(name), taken)), name)

    compared = column(arguments.compare) if column(arguments.compare) in attributes else None
    robot = column(arguments.robot) if column(arguments.robot) in attributes else None
    by = [column(name) for name in arguments.by.split(",") if name] if arguments.by is not None else [compared] if compared else []
    missing = [name for name in by if name not in attributes]
    if missing:
        raise SystemExit(f"the manifest has no attribute {', '.join(missing)}, but {', '.join(attributes) or 'none'}")
    return by, robot, compared
