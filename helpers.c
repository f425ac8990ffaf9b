/* U64_MAP_NONE, "not there", is no address of anything. */
void rewrite_relate(struct rewrite *rewrite, enum relation relation, uint64_t key, uint64_t value)
{
	if (value != U64_MAP_NONE) {
		u64_map_set(&rewrite->process->relations[relation], key, value);
	}
}

uint64_t rewrite_related(const struct rewrite *rewrite, enum relation relation, uint64_t key)
{
	return key == U64_MAP_NONE ? U64_MAP_NONE : u64_map_get(&rewrite->process->relations[relation], key);
}

bool rewrite_is_related(const struct rewrite *rewrite, enum relation relation, uint64_t key)
{
	return rewrite_related(rewrite, relation, key) != U64_MAP_NONE;
}

uint64_t rewrite_unrelate(struct rewrite *rewrite, enum relation relation, uint64_t key)
{
	return u64_map_remove(&rewrite->process->relations[relation], key);
}

/* What is put out */

struct event_record *rewrite_add(struct rewrite *rewrite, enum normalized_how how, enum event_kind kind)
{
	struct normalized_event *event = &rewrite->events->event[rewrite->events->count++];

	g_assert(rewrite->events->count <= NORMALIZED_EVENTS_MAX);
	event->how = how;
	event->record = (struct event_record){
		.time_ns = rewrite->input->time_ns,
		.thread = rewrite->input->thread,
		.stream = rewrite->input->stream,
		.kind = (uint8_t)kind,
	};
	return &event->record;
}

static void set(struct event_record *record, unsigned int slot, uint64_t word)
{
	record->word[slot] = word;
	record->present |= 1u << slot;
}

static uint64_t pointer_word(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

static bool rewrite_is_from_caret(const struct rewrite *rewrite)
{
	return rewrite->input->flags & RECORD_FROM_CARET;
}

/* The event itself, under the name it has in ros2_tracing. */
struct event_record *rewrite_pass(struct rewrite *rewrite)
{
	const struct event_record *input = rewrite->input;
	bool is_renamed = rewrite_is_from_caret(rewrite) && event_schema_of(input->kind)->providers == EVENT_PROVIDER_BOTH;
	struct event_record *record = rewrite_add(rewrite, is_renamed ? NORMALIZED_CHANGED : NORMALIZED_KEPT, input->kind);

	*record = *input;
	if (is_renamed) {
		record->flags = 0;
		if (input->flags & RECORD_HAS_INIT_TIME) {
			record->present &= ~(1u << EVENT_SLOT_INIT_TIME) & 0x3f;
		}
	}
	return record;
}

