# The same cells through Python's own jupyter_client and ipykernel, as the peer to compare with. Prints JSON.
import json
import sys
import time

from jupyter_client.manager import KernelManager

start = time.perf_counter()
manager = KernelManager(kernel_name='python3')
manager.kernel_cmd = [sys.executable, '-m', 'ipykernel_launcher', '-f', '{connection_file}']
manager.start_kernel()
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=60)


def run(code):
    """Milliseconds and characters of output until the kernel is idle again."""
    begin = time.perf_counter()
    request = client.execute(code)
    size = 0
    while True:
        message = client.get_iopub_msg(timeout=600)
        if message['parent_header'].get('msg_id') != request:
            continue
        if message['msg_type'] == 'stream':
            size += len(message['content']['text'])
        if message['msg_type'] == 'status' and message['content']['execution_state'] == 'idle':
            return (time.perf_counter() - begin) * 1000, size


run('1+1')
cold = (time.perf_counter() - start) * 1000
trips = sorted(run('1+1')[0] for _ in range(100))
prints, print_size = run('for i in range(1_000_000): print(i)')
large, large_size = run("print('x' * 50_000_000)")
client.stop_channels()
manager.shutdown_kernel(now=True)
print(json.dumps({'cold': cold, 'trip': trips[50], 'prints': prints, 'printSize': print_size, 'large': large, 'largeSize': large_size}))
