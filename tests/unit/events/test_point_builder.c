/* SPDX-License-Identifier: MIT */
#include "core/events/points/point_builder.h"

#include <criterion/criterion.h>

#include "ros2bt/events/recording.h"

static struct point_builder builder;

static void setup(void)
{
	point_builder_init(&builder);
	point_builder_begin_batch(&builder);
}

static void teardown(void)
{
	point_builder_clear(&builder);
}

TestSuite(point_builder, .init = setup, .fini = teardown);

static const struct point_values *finish(struct event_record *record)
{
	*record = (struct event_record){ .thread = 3 };
	point_builder_finish(&builder, 7, false, record);
	return record_point_values(record);
}

Test(point_builder, a_block_has_the_values_of_an_event)
{
	struct event_record record;
	const struct point_values *values;
	struct point_value element;

	point_builder_start(&builder, 6);
	point_builder_set_integer(&builder, 0, true, (uint64_t)-5, "label");
	point_builder_set_real(&builder, 1, 0.5);
	point_builder_set_text(&builder, 2, "text\0rest", 9);
	point_builder_set_list(&builder, 3, POINT_VALUE_SIGNED, 2);
	point_builder_add_element(&builder, (uint64_t)-1);
	point_builder_add_element(&builder, 2);
	point_builder_set_list(&builder, 4, POINT_VALUE_NONE, 100000);
	values = finish(&record);
	cr_expect_eq(record.kind, RECORD_POINT);
	cr_expect_eq(record.word[RECORD__point], 7);
	cr_expect_eq(record.thread, 3);
	cr_assert_eq(values->count, 6);
	cr_expect_eq(values->at[0].type, POINT_VALUE_SIGNED);
	cr_expect_eq(point_value_real(&values->at[0]), -5);
	cr_expect_str_eq(point_value_text(values, &values->at[0]), "label");
	cr_expect_eq(point_value_real(&values->at[1]), 0.5);
	cr_expect_str_eq(point_value_text(values, &values->at[2]), "text");
	cr_expect_eq(point_value_real(&values->at[2]), 0, "a text is no number");
	element = point_value_element(values, &values->at[3], 0);
	cr_expect_eq((int64_t)element.number, -1);
	cr_expect(point_value_is_integer(&element));
	cr_expect_eq(point_value_element(values, &values->at[3], 1).number, 2);
	cr_expect_eq(values->at[4].count, 100000);
	cr_expect_eq(point_value_element(values, &values->at[4], 99).type, POINT_VALUE_NONE);
	cr_expect_eq(values->at[5].type, POINT_VALUE_NONE, "it was not set");
	cr_expect_null(point_value_text(values, &values->at[5]));
}

/* Events of a kernel have no thread of the recording, but the ids of theirs. */
Test(point_builder, an_event_of_a_kernel_has_ids)
{
	struct event_record record = { .thread = 9 };

	point_builder_start(&builder, 0);
	point_builder_finish(&builder, 0, true, &record);
	cr_expect_eq(record.thread, RECORDING_NONE);
	cr_expect(record_has(&record, RECORD__ids));
	cr_expect_eq(record.word[RECORD__ids], 9);
	record.thread = RECORDING_NONE;
	point_builder_start(&builder, 0);
	point_builder_finish(&builder, 0, true, &record);
	cr_expect_not(record_has(&record, RECORD__ids));
}

/* Blocks of a batch stay as they are, large ones too; a copy outlives the batch. */
Test(point_builder, blocks_are_valid_as_long_as_the_batch)
{
	g_autofree char *large = g_strnfill(100000, 'x');
	const struct point_values *values[3];
	g_autofree struct point_values *copy = NULL;
	struct event_record record;

	for (size_t i = 0; i < 3; i++) {
		point_builder_start(&builder, 1);
		point_builder_set_text(&builder, 0, i == 1 ? large : "small", 100000);
		values[i] = finish(&record);
	}
	cr_expect_str_eq(point_value_text(values[0], &values[0]->at[0]), "small");
	cr_expect_str_eq(point_value_text(values[1], &values[1]->at[0]), large);
	cr_expect_str_eq(point_value_text(values[2], &values[2]->at[0]), "small");
	cr_expect_not(point_builder_is_full(&builder));
	for (size_t i = 0; i < 3; i++) {
		point_builder_start(&builder, 1);
		point_builder_set_text(&builder, 0, large, 100000);
		(void)finish(&record);
	}
	cr_expect(point_builder_is_full(&builder), "400 KB are much for a batch");
	copy = point_values_copy(values[1]);
	point_builder_begin_batch(&builder);
	cr_expect_not(point_builder_is_full(&builder));
	cr_expect_str_eq(point_value_text(copy, &copy->at[0]), large);
}

Test(point_builder, events_are_found_by_name)
{
	const struct point_event list[] = { { .name = "app:start" }, { .name = "app:end" } };
	const struct point_events events = { list, 2 };

	cr_expect_eq(point_events_find(&events, "app:end"), 1);
	cr_expect_eq(point_events_find(&events, "app:en"), -1);
	cr_expect_eq(point_events_find(NULL, "app:end"), -1);
}
