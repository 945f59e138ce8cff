"""Tries from within a confined unit to change the process VICTIM, to leave the unit, and to read what is not its own.
Prints one line for each try: its name, and `done` or the name of the error."""
import ctypes
import errno
import socket
import sys

libc = ctypes.CDLL(None, use_errno=True)
victim = int(sys.argv[1])
# Numbers of x86_64; the newer ones are the same everywhere.
numbers = {"ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "setns": 308,
           "perf_event_open": 298, "bpf": 321, "userfaultfd": 323, "io_uring_setup": 425, "pidfd_open": 434,
           "pidfd_getfd": 438, "process_madvise": 440, "process_mrelease": 448, "unshare": 272, "setuid": 105}


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def call(name, *arguments):
    ctypes.set_errno(0)
    values = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    if libc.syscall(numbers[name], *values) == -1:
        return errno.errorcode[ctypes.get_errno()]
    return "done"


def file(path, mode):
    try:
        with open(path, mode, buffering=0) as opened:
            if "r" in mode and "+" not in mode:
                opened.read(1)
        return "done"
    except OSError as error:
        return errno.errorcode[error.errno]


def memory(name):
    """A place in the victim's memory that it can write; where its map cannot be read, any place."""
    place = 4096
    try:
        for line in open(f"/proc/{victim}/maps"):
            if line.split()[1].startswith("rw") and "[heap]" in line:
                place = int(line.split("-")[0], 16)
    except OSError:
        pass
    own = ctypes.create_string_buffer(b"OWNED!", 6)
    here = Vector(ctypes.addressof(own), 6)
    there = Vector(place, 6)
    return call(name, victim, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)


def connection(family, address):
    try:
        with socket.socket(family, socket.SOCK_STREAM) as opened:
            opened.settimeout(3)
            opened.connect(address)
        return "done"
    except OSError as error:
        return errno.errorcode.get(error.errno, "timeout")


attach, seize, newuser = 16, 0x4206, 0x10000000
tries = {
    "process_vm_writev": lambda: memory("process_vm_writev"),
    "process_vm_readv": lambda: memory("process_vm_readv"),
    "ptrace seize": lambda: call("ptrace", seize, victim, 0, 0),
    "ptrace attach": lambda: call("ptrace", attach, victim, 0, 0),
    "write memory": lambda: file(f"/proc/{victim}/mem", "r+b"),
    "read memory": lambda: file(f"/proc/{victim}/mem", "rb"),
    "read environment": lambda: file(f"/proc/{victim}/environ", "rb"),
    "kcmp": lambda: call("kcmp", victim, victim, 0, 0, 1),
    "pidfd_open": lambda: call("pidfd_open", victim, 0),
    # Without a filter these three name the descriptor, or the address, that is none.
    "pidfd_getfd": lambda: call("pidfd_getfd", 99, 0, 0),
    "process_madvise": lambda: call("process_madvise", 99, 0, 0, 0, 0),
    "process_mrelease": lambda: call("process_mrelease", 99, 0),
    "perf_event_open": lambda: call("perf_event_open", 0, 0, 0, 0, 0),
    "bpf": lambda: call("bpf", 0, 0, 0),
    "userfaultfd": lambda: call("userfaultfd", 1),
    "io_uring_setup": lambda: call("io_uring_setup", 1, 0),
    "setuid": lambda: call("setuid", 0),
    "write the program": lambda: file("/usr/local/sbin/plimsoll-agent", "ab"),
    "write /etc": lambda: file("/etc/plimsoll-attack", "wb"),
    "read the token": lambda: file("/var/lib/plimsoll-agent/token", "rb"),
    "read the token through another root": lambda: file("/proc/1/root/var/lib/plimsoll-agent/token", "rb"),
    "write a result": lambda: file("/run/plimsoll-agent-processes/attack", "wb"),
    "reach the network": lambda: connection(socket.AF_INET, ("127.0.0.1", int(sys.argv[2]))),
    "reach systemd": lambda: connection(socket.AF_UNIX, "/run/systemd/notify"),
    "see the files of others": lambda: file(f"/proc/{victim}/maps", "rb"),
    "user name space": lambda: call("unshare", newuser),
}
for line in open("/proc/self/status"):
    if line.startswith(("CapEff:", "CapBnd:", "NoNewPrivs:", "Seccomp:")):
        print(" ".join(line.split()))
for name, attempt in tries.items():
    print(f"{name}: {attempt()}")
