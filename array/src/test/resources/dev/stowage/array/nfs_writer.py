"""Writes to a file on an NFS share without end, as a client that does not give up: HOST PORT EXPORT FILE.

A line on the output for every write that the server has confirmed. Ends when its input does.
"""

import ctypes
import ctypes.util
import select
import sys
import time

host, port, export, file = sys.argv[1:]
nfs = ctypes.CDLL(ctypes.util.find_library("nfs"))


class Url(ctypes.Structure):
    _fields_ = [("server", ctypes.c_char_p), ("path", ctypes.c_char_p), ("file", ctypes.c_char_p)]


nfs.nfs_init_context.restype = ctypes.c_void_p
nfs.nfs_parse_url_dir.restype = ctypes.POINTER(Url)
CREATE_AND_WRITE = 0o101
# More does not fit into what libnfs encodes a call in.
BLOCK = b"w" * 1024


def is_over():
    return bool(select.select([sys.stdin], [], [], 0)[0])


def write_until_refused():
    context = ctypes.c_void_p(nfs.nfs_init_context())
    handle = ctypes.c_void_p()
    try:
        url = nfs.nfs_parse_url_dir(context, f"nfs://{host}{export}?version=4&nfsport={port}".encode())
        if nfs.nfs_mount(context, url.contents.server, url.contents.path) != 0:
            return
        if nfs.nfs_open(context, f"/{file}".encode(), CREATE_AND_WRITE, ctypes.byref(handle)) != 0:
            return
        while not is_over():
            if nfs.nfs_write(context, handle, ctypes.c_uint64(len(BLOCK)), BLOCK) != len(BLOCK):
                return
            print("written", flush=True)
    finally:
        nfs.nfs_destroy_context(context)


while not is_over():
    write_until_refused()
    time.sleep(0.02)
