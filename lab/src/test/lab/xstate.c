/*
 * Preloaded into user-mode Linux. Its kernels before 6.15 hand the processor's extended state back with a buffer of a fixed size. On
 * processors with more state (AMX) the host refuses that with EFAULT, and the guest panics. So the buffer is made as long as the host
 * wants it, and what UML does not know of stays in its initial state.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { GET_SET = 0x4204, SET_SET = 0x4205, XSTATE = 0x202, LARGEST = 32768, FEATURES_AT = 512, MOST_FEATURES = 63 };

static unsigned char state[LARGEST] __attribute__((aligned(64)));
static size_t host_size, guest_size;
static uint64_t known_to_guest;

/* Which parts of the state lie within the guest's buffer, and how long the host's is. */
static void measure(long pid, size_t guest)
{
	struct iovec all = { state, sizeof state };
	if (syscall(SYS_ptrace, (long)GET_SET, pid, (long)XSTATE, &all) == 0)
		host_size = all.iov_len;
	memset(state, 0, sizeof state);
	known_to_guest = 3;
	for (unsigned feature = 2; feature < MOST_FEATURES; feature++) {
		unsigned size, offset, ignored1, ignored2;
		__cpuid_count(0xd, feature, size, offset, ignored1, ignored2);
		if (size != 0 && offset + size <= guest)
			known_to_guest |= 1ULL << feature;
	}
	guest_size = guest;
}

long ptrace(enum __ptrace_request request, ...)
{
	va_list arguments;
	va_start(arguments, request);
	long pid = va_arg(arguments, int);
	void *address = va_arg(arguments, void *);
	void *data = va_arg(arguments, void *);
	va_end(arguments);

	if ((int)request == SET_SET && (long)address == XSTATE) {
		struct iovec *given = data;
		if (given->iov_len != guest_size)
			measure(pid, given->iov_len);
		if (host_size > given->iov_len) {
			struct iovec padded = { state, host_size };
			uint64_t features;
			memcpy(state, given->iov_base, given->iov_len);
			memcpy(&features, state + FEATURES_AT, sizeof features);
			features &= known_to_guest;
			memcpy(state + FEATURES_AT, &features, sizeof features);
			return syscall(SYS_ptrace, (long)SET_SET, pid, (long)XSTATE, &padded);
		}
	}
	/* The system call returns what it read through a pointer, the library as its result. */
	long word;
	int reads = request == PTRACE_PEEKTEXT || request == PTRACE_PEEKDATA || request == PTRACE_PEEKUSER;
	long result = syscall(SYS_ptrace, (long)request, pid, address, reads ? (void *)&word : data);
	if (reads && result >= 0) {
		errno = 0;
		return word;
	}
	return result;
}
