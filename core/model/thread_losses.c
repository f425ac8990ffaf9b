/* SPDX-License-Identifier: MIT */
#include "core/model/thread_losses.h"

void thread_losses_be_certain(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns)
{
	struct thread_doubt *doubt = &states->tids.doubt;

	cpu->certain_ns = doubt->since_ns = time_ns;
	for (guint i = 0; i < states->cpus->len && doubt->doubtful > cpu->doubtful; i++) {
		const struct scheduled_cpu *other = states->cpus->pdata[i];

		doubt->since_ns = other->doubtful > 0 ? MIN(doubt->since_ns, other->certain_ns) : doubt->since_ns;
	}
}

/* The CPU has no events from a time on: nothing is known but of threads that run on other CPUs. */
static void lose_from(struct thread_states *states, struct scheduled_cpu *cpu, int64_t from_ns)
{
	for (guint i = 0; i < states->tids.threads->len; i++) {
		struct scheduled_thread *thread = states->tids.threads->pdata[i];
		bool is_elsewhere =
			thread->state == THREAD_RUNNING && thread->cpu && thread->cpu->has_stream && thread->cpu != cpu;

		if (thread->state != THREAD_GONE && !is_elsewhere) {
			scheduled_thread_forget(thread, from_ns);
		}
		scheduled_thread_resolve(thread);
	}
	cpu->current = NULL;
	cpu->irq_depth = 0;
}

/* The CPU has events again. Whoever runs there at the next one has done so since. */
static void resume_at(struct scheduled_cpu *cpu, int64_t time_ns)
{
	cpu->is_idle = cpu->is_vacated = false;
	cpu->has_switch = true;
	cpu->last_switch_ns = time_ns;
	cpu->last_ns = MAX(cpu->last_ns, time_ns);
}

void thread_losses_darken(struct thread_states *states, struct scheduled_cpu *cpu, int64_t from_ns)
{
	lose_from(states, cpu, from_ns);
	cpu->dark++;
	states->tids.doubt.dark++;
}

void thread_losses_lighten(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns)
{
	states->tids.doubt.dark--;
	if (--cpu->dark == 0) {
		resume_at(cpu, time_ns);
	}
}

void thread_losses_resume_cpu(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns)
{
	if (cpu->is_missed) {
		cpu->is_missed = false;
		thread_losses_lighten(states, cpu, time_ns);
	} else {
		resume_at(cpu, time_ns);
	}
}

void thread_losses_doubt(struct thread_states *states, struct scheduled_cpu *cpu, int64_t from_ns)
{
	cpu->doubtful++;
	states->tids.doubt.doubtful++;
	thread_losses_be_certain(states, cpu, from_ns);
}

void thread_losses_end_gap(struct thread_states *states, struct scheduled_cpu *cpu, int64_t time_ns)
{
	lose_from(states, cpu, cpu->doubtful > 0 ? cpu->certain_ns : cpu->last_ns);
	resume_at(cpu, time_ns);
	if (cpu->doubtful > 0) {
		thread_losses_be_certain(states, cpu, time_ns);
	}
}

void thread_losses_trust(struct thread_states *states, struct scheduled_cpu *cpu)
{
	cpu->doubtful--;
	states->tids.doubt.doubtful--;
	thread_losses_be_certain(states, cpu, states->now_ns);
}

void thread_losses_pause(struct thread_states *states, int64_t from_ns)
{
	for (guint i = 0; i < states->cpus->len; i++) {
		lose_from(states, states->cpus->pdata[i], from_ns);
	}
	states->is_off = true;
	states->tids.doubt.dark++;
}

void thread_losses_resume(struct thread_states *states, int64_t time_ns)
{
	states->is_off = false;
	states->tids.doubt.dark--;
	for (guint i = 0; i < states->cpus->len; i++) {
		resume_at(states->cpus->pdata[i], time_ns);
	}
}
