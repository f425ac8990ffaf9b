-- SPDX-License-Identifier: MIT
-- The views of a database (output_sqlite.c), for the most frequent questions. No other place of an output names tables
-- and columns. A view is left out if the report lacks its tables. docs/sqlite.md shows how to use each.

-- Callbacks with the node that other tables name: [NAME] for a process that no node is known of
CREATE VIEW named_callbacks AS
SELECT callback_id, ifnull(node, '[' || ifnull(procname, '?') || ']') AS node, kind, source, count, duration_sum_ns, hostname, vpid
FROM callbacks;

-- Which executions took longest? rank: among those of the callback
CREATE VIEW longest_executions AS
SELECT callback_id, node, kind, source, vpid, vtid, start_ns, duration_ns,
       rank() OVER (PARTITION BY callback_id ORDER BY duration_ns DESC) AS rank
FROM callback_instances AS e
JOIN callbacks USING (callback_id)
WHERE duration_ns IS NOT NULL AND NOT e.doubtful
ORDER BY duration_ns DESC;

-- Which traversals of a path were slowest?
CREATE VIEW slowest_traversals AS
SELECT path_id, path, instance, origin_start_ns, latency_ns,
       rank() OVER (PARTITION BY path_id ORDER BY latency_ns DESC) AS rank
FROM path_instances
JOIN paths USING (path_id)
ORDER BY latency_ns DESC;

-- Where did their time go?
CREATE VIEW traversal_hops AS
SELECT path_id, instance, hop, topic, node, publish_ns, take_ns - publish_ns AS transport_ns,
       callback_start_ns - take_ns AS wait_ns, callback_start_ns, callback_end_ns - callback_start_ns AS callback_ns
FROM path_hop_instances
JOIN path_hops USING (path_id, hop);

-- Does a path become slower with time?
CREATE VIEW path_latency_per_minute AS
SELECT path_id, path, (origin_start_ns - (SELECT begin_ns FROM trace)) / 60000000000 AS minute,
       count(*) AS count, avg(latency_ns) AS mean_ns, max(latency_ns) AS max_ns
FROM path_instances
JOIN paths USING (path_id)
GROUP BY path_id, minute;

-- Does a callback?
CREATE VIEW callback_duration_per_minute AS
SELECT callback_id, node, kind, source, (start_ns - (SELECT begin_ns FROM trace)) / 60000000000 AS minute,
       count(*) AS count, avg(duration_ns) AS mean_ns, max(duration_ns) AS max_ns
FROM callback_instances AS e
JOIN callbacks USING (callback_id)
WHERE duration_ns IS NOT NULL AND NOT e.doubtful
GROUP BY callback_id, minute;

-- Messages with the execution that handled them: that of a callback of the subscription's node and topic which began
-- when the message was handed over. CROSS JOIN keeps the order in which executions are looked up by their index.
CREATE VIEW handled_messages AS
SELECT m.communication_id, c.topic, c.publisher_node, c.subscription_node, m.publish_ns, m.take_ns, m.callback_start_ns,
       m.latency_ns, e.callback_id, e.vtid, e.duration_ns, r.hostname, r.vpid
FROM communication_instances AS m
JOIN communications AS c USING (communication_id)
CROSS JOIN named_callbacks AS r ON r.hostname IS c.subscription_hostname AND r.vpid IS c.subscription_vpid
  AND r.source IS c.topic AND r.node IS c.subscription_node
CROSS JOIN callback_instances AS e ON e.callback_id = r.callback_id AND e.start_ns = m.callback_start_ns;

-- Who was running while a message waited? What the thread that handled it executed from its publication on
CREATE VIEW executions_while_waiting AS
SELECT m.communication_id, m.topic, m.subscription_node AS waiting_node, m.publish_ns,
       m.callback_start_ns - m.publish_ns AS latency_ns,
       r.node AS running_node, r.kind AS running_kind, r.source AS running_source, e.start_ns AS running_since_ns,
       min(e.end_ns, m.callback_start_ns) - max(e.start_ns, m.publish_ns) AS running_ns
FROM handled_messages AS m
CROSS JOIN named_callbacks AS r ON r.hostname IS m.hostname AND r.vpid IS m.vpid
CROSS JOIN callback_instances AS e
  ON e.callback_id = r.callback_id AND e.vtid = m.vtid AND e.start_ns < m.callback_start_ns AND e.end_ns > m.publish_ns;

-- Which messages were lost, and when? Those that came after all have a second row
CREATE VIEW losses AS
SELECT communication_id, topic, publisher_node, subscription_node, publish_ns
FROM communication_instances AS m
JOIN communications USING (communication_id)
WHERE outcome = 'lost' AND (publish_ns IS NULL OR (communication_id, publish_ns) NOT IN (
  SELECT communication_id, publish_ns FROM communication_instances
  WHERE outcome = 'received' AND communication_id IS NOT NULL AND publish_ns IS NOT NULL));

-- Which nodes are busiest? Of each process
-- share_percent: of the time recorded; more than 100 with several threads
CREATE VIEW busiest_nodes AS
SELECT node, count(*) AS callbacks, sum(count) AS executions,
       sum(duration_sum_ns) AS busy_ns,
       100.0 * sum(duration_sum_ns) / (SELECT end_ns - begin_ns FROM trace) AS share_percent, hostname, vpid
FROM named_callbacks
GROUP BY hostname, vpid, node
ORDER BY busy_ns DESC;

-- What becomes of the messages of each topic?
CREATE VIEW topics AS
SELECT topic, count(DISTINCT ifnull(publisher_hostname, '') || ' ' || ifnull(publisher_vpid, '') || ' ' || ifnull(publisher_node, '')) AS publishers,
       count(DISTINCT ifnull(subscription_hostname, '') || ' ' || ifnull(subscription_vpid, '') || ' ' || ifnull(subscription_node, '')) AS subscriptions,
       sum(received) AS received, sum(lost) AS lost,
       sum(latency_sum_ns) / sum(round(latency_sum_ns / latency_mean_ns)) AS mean_latency_ns, max(latency_max_ns) AS max_latency_ns
FROM communications
GROUP BY topic;

-- Who talks to whom, how often and how fast?
CREATE VIEW node_graph AS
SELECT publisher_node, subscription_node, topic, received, lost,
       rate_hz, latency_mean_ns, latency_max_ns, publisher_hostname, subscription_hostname, publisher_vpid, subscription_vpid
FROM communications
WHERE received > 0
ORDER BY publisher_node, subscription_node, topic, publisher_hostname, subscription_hostname;
