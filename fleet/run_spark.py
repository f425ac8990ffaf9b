#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes the tables of a fleet with Spark: analyses the recordings of a manifest on the executors, and merges the results.

usage: spark-submit run_spark.py --manifest=FILE --output=DIRECTORY [OPTION]...

Only new recordings are analysed: OUTPUT/rows has a folder for each run, partitioned by attributes, which is valid once Spark has
marked it as complete (_SUCCESS). A recording that cannot be read yields a row that says why (analyse.py) and does not end the
job. If an executor dies, only its tasks run again, since a task has no effect except its rows. OUTPUT/tables is computed again
from all rows after each run that added some (tables.py).

The program is shipped with the job: ros2-latency itself (--command), or a bundle with its libraries (--bundle, created by
make_bundle), which requires nothing on the executors except Python with pyarrow and pandas below version 3.
"""
import argparse
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import analyse  # noqa: E402
import tables  # noqa: E402

tables.QUOTE = "`"

BUNDLE, BUNDLE_COMMAND = "ros2-latency-bundle", "bin/ros2-latency"
INTEGERS = ("low_ns", "high_ns", "n", "sum_ns", "min_ns", "max_ns")
SUCCESS = "_SUCCESS"
MADE_OF = "made_of"  # the file, next to the tables, that names the run they are computed from


class Store:
    """The folders of the output, wherever Spark can write: a file system, HDFS, object storage."""

    def __init__(self, spark, root):
        self.spark = spark
        self.root = root
        self.path = spark._jvm.org.apache.hadoop.fs.Path  # pylint: disable=protected-access
        self.files = self.path(root).getFileSystem(spark._jsc.hadoopConfiguration())  # pylint: disable=protected-access

    def join(self, *names):
        return "/".join((self.root, *names))

    def exists(self, *names):
        return self.files.exists(self.path(self.join(*names)))

    def remove(self, *names):
        self.files.delete(self.path(self.join(*names)), True)

    def runs(self):
        """The complete folders; removes those of runs that were killed."""
        if not self.exists("rows"):
            return []
        found = [status.getPath().getName() for status in self.files.listStatus(self.path(self.join("rows")))]
        for name in found:
            if name.startswith("run=") and not self.exists("rows", name, SUCCESS):
                self.remove("rows", name)
        return sorted(name for name in found if name.startswith("run=") and self.exists("rows", name, SUCCESS))

    def text(self, *names):
        return self.spark.sparkContext.wholeTextFiles(self.join(*names)).values().collect()[0].strip() if self.exists(*names) else ""

    def write_text(self, text, *names):
        stream = self.files.create(self.path(self.join(*names)), True)
        stream.write(bytearray(text.encode()))
        stream.close()


def arrow_schema(attributes):
    import pyarrow

    return pyarrow.schema([("recording", pyarrow.string()), *((name, pyarrow.string()) for name in attributes),
                           *((name, pyarrow.int64() if name in INTEGERS else pyarrow.string()) for name in analyse.FIELDS)])


def sql_schema(attributes):
    return ", ".join(["recording string", *(f"{tables.quoted(name)} string" for name in attributes),
                      *(f"{name} {'bigint' if name in INTEGERS else 'string'}" for name in analyse.FIELDS)])


def task(attributes, columns, command, is_bundle, options):
    """The work of an executor: recordings in, rows out."""
    def analyse_batches(batches):
        import analyse as shipped
        import pyarrow
        from pyspark import SparkFiles

        program = SparkFiles.get(os.path.join(BUNDLE, BUNDLE_COMMAND) if is_bundle else command)
        if not is_bundle:
            os.chmod(program, 0o755)  # Spark does not keep it
        for batch in batches:
            for recording in batch.to_pylist():
                rows = shipped.analyse(recording["recording"], program, columns, **options)
                cells = [[recording[name]] * len(rows) for name in ("recording", *attributes)]
                yield pyarrow.RecordBatch.from_arrays(
                    [pyarrow.array(values, field.type) for values, field in zip([*cells, *zip(*rows)], arrow_schema(attributes))],
                    schema=arrow_schema(attributes))

    return analyse_batches


def read_rows(spark, store, runs):
    paths = [store.join("rows", run) for run in runs]
    return spark.read.option("basePath", store.join("rows")).parquet(*paths)


def newest(spark, attributes):
    """The rows of a recording that was analysed again are those of its last run."""
    cells = ", ".join(f"coalesce({tables.quoted(name)}, '') AS {tables.quoted(name)}" for name in attributes)
    return spark.sql(f"""
SELECT all_rows.recording, {cells + ', ' if cells else ''}{', '.join(f'all_rows.{name}' for name in analyse.FIELDS)}
FROM all_rows JOIN (SELECT recording, max(run) AS run FROM all_rows GROUP BY recording) last
ON all_rows.recording = last.recording AND all_rows.run = last.run""")


def done_recordings(spark, store, runs, is_retried):
    if not runs:
        return set()
    rows = read_rows(spark, store, runs).where("kind = 'recording'").select("recording", "statistic", "run").collect()
    last = {row.recording: row.statistic for row in sorted(rows, key=lambda row: str(row.run))}
    return {recording for recording, status in last.items() if not (is_retried and status != analyse.COMPLETE)}


def analyse_all(spark, store, arguments, attributes, recordings, todo):
    context = spark.sparkContext
    context.addPyFile(os.path.abspath(analyse.__file__))
    if arguments.bundle:
        context.addArchive(f"{arguments.bundle}#{BUNDLE}")
    else:
        context.addFile(arguments.command)
    options = {"buckets": arguments.buckets, "timeout": arguments.timeout, "fetch": arguments.fetch}
    columns = analyse.read_columns(arguments.command)
    slices = max(1, min(len(todo), arguments.tasks))
    given = spark.createDataFrame(context.parallelize([(path, *recordings[path]) for path in todo], slices),
                                  ", ".join(f"{tables.quoted(name)} string" for name in ("recording", *attributes)))
    work = task(attributes, columns, os.path.basename(arguments.command), bool(arguments.bundle), options)
    rows = given.mapInArrow(work, sql_schema(attributes))
    run = f"run={time.time_ns():020d}"
    rows.write.partitionBy(*arguments.partition).parquet(store.join("rows", run))
    return run


def make_tables(spark, store, arguments, attributes, runs):
    read_rows(spark, store, runs).createOrReplaceTempView("all_rows")
    newest(spark, attributes).cache().createOrReplaceTempView("rows")
    by, robot, compared = tables.choose(attributes, arguments)
    versions = [row[0] for row in spark.sql(f"SELECT DISTINCT {tables.quoted(compared)} FROM rows").collect()] if compared else []
    kept, made = tables.statements(attributes, by, robot, compared, versions)
    for name, select in kept.items():
        spark.sql(select).cache().createOrReplaceTempView(name)
    for name, select in made.items():
        spark.sql(select).coalesce(1).write.mode("overwrite").parquet(store.join("tables", name))


def print_problems(spark, store, run):
    rows = read_rows(spark, store, [run]).where("kind = 'recording' AND problem IS NOT NULL").orderBy("recording").collect()
    for row in rows:
        print(f"{row.recording}: {row.problem}", file=sys.stderr)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--manifest", required=True, metavar="FILE", help="as of analyse.py; paths as the executors see them")
    parser.add_argument("--output", required=True, metavar="DIRECTORY")
    parser.add_argument("--command", default="ros2-latency", metavar="FILE", help="ros2-latency, as this machine runs it")
    parser.add_argument("--bundle", metavar="FILE", help="what executors run: an archive of make_bundle; default: the command")
    parser.add_argument("--partition", default=None, metavar="ATTRIBUTE,…", help="of the rows; default: day, version, where there are such")
    parser.add_argument("--buckets", type=int, default=32, help="of histograms, an octave; default: 32")
    parser.add_argument("--timeout", type=float, default=3600, metavar="SECONDS", help="for each recording; default: an hour")
    parser.add_argument("--fetch", metavar="SCRIPT", help="shell script that copies the recording $1 to the directory $2")
    parser.add_argument("--tasks", type=int, default=10000, help="at most so many; default: 10000")
    parser.add_argument("--retry", action="store_true", help="analyse those again that were not read as a whole")
    tables.add_options(parser)
    return parser.parse_args()


def main():
    from pyspark.sql import SparkSession

    arguments = parse()
    attributes, recordings = analyse.read_manifest(arguments.manifest)
    arguments.partition = ([name for name in ("day", "version") if name in attributes] if arguments.partition is None
                           else [name for name in arguments.partition.split(",") if name])
    # "1.10" is text, not a number
    spark = (SparkSession.builder.appName("ros2-latency fleet")
             .config("spark.sql.sources.partitionColumnTypeInference.enabled", "false").getOrCreate())
    store = Store(spark, arguments.output.rstrip("/"))
    runs = store.runs()
    todo = sorted(set(recordings) - done_recordings(spark, store, runs, arguments.retry))
    if todo:
        runs.append(analyse_all(spark, store, arguments, attributes, recordings, todo))
        print_problems(spark, store, runs[-1])
    print(f"{len(todo)} of {len(recordings)} recordings analysed, {len(recordings) - len(todo)} were done")
    made_of = " ".join([runs[-1] if runs else "", str(arguments.by), arguments.robot, arguments.compare])
    if runs and store.text("tables", MADE_OF) != made_of:
        make_tables(spark, store, arguments, attributes, runs)
        store.write_text(made_of, "tables", MADE_OF)
        print("tables made")
    spark.stop()


if __name__ == "__main__":
    main()
