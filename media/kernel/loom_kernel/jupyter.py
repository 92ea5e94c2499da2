"""The real ipykernel in this process: a thread takes Loom's cells to its sockets and tells Loom what they say."""

import json
import os
import queue
import signal
import sys
import tempfile
import threading

import ipykernel
import zmq
from ipykernel.kernelapp import IPKernelApp
from jupyter_client.session import Session

_events = {'display_data': 'display', 'execute_result': 'result', 'update_display_data': 'update'}


def main(frames, started):
    folder = tempfile.mkdtemp(prefix='k-', dir=os.environ.get('LOOM_KERNEL_RUNTIME'))
    file = os.path.join(folder, 'c.json')
    # Files instead of ports where the system has them; no history is kept.
    where = ['--ip=127.0.0.1'] if os.name == 'nt' else ['--transport=ipc', '--ip=' + os.path.join(folder, 's')]
    app = IPKernelApp.instance()
    app.initialize(['-f', file, '--HistoryManager.enabled=False', *where])
    app.shell.colors = 'nocolor' if ipykernel.version_info[0] >= 7 else 'NoColor'
    started()
    relay = _Relay(frames, file)
    for work in (relay.read, relay.run):
        threading.Thread(target=work, daemon=True).start()
    app.start()


class _Relay:
    def __init__(self, frames, file):
        self._frames = frames
        with open(file) as text:
            self._info = json.load(text)
        self._session = Session(key=self._info['key'].encode(), signature_scheme=self._info['signature_scheme'])
        self._context = zmq.Context()
        self._asked = queue.Queue()
        self._wake = self._context.socket(zmq.PULL)
        self._wake.bind('inproc://asked')
        self._cells = {}  # a request's id: its cell
        self._open = {}  # a cell: what of its end is still to come
        self._count = None

    def read(self):
        wake = self._context.socket(zmq.PUSH)
        wake.connect('inproc://asked')
        while True:
            message = self._frames.receive()
            if message is None:
                if os.name != 'nt':
                    os.killpg(0, signal.SIGKILL)
                os._exit(0)
            if message['op'] == 'interrupt':
                os.kill(os.getpid(), signal.SIGINT)
            else:
                self._asked.put(message)
                wake.send(b'')

    def run(self):
        published, shell = self._socket(zmq.SUB, 'iopub'), self._socket(zmq.DEALER, 'shell')
        published.subscribe(b'')
        poller = zmq.Poller()
        for socket in (published, shell, self._wake):
            poller.register(socket, zmq.POLLIN)
        request = self._session.send(shell, 'kernel_info_request', {})
        info = request['header']['msg_id']
        while True:
            for socket, _ in poller.poll():
                if socket is self._wake:
                    socket.recv()
                    self._execute(shell, self._asked.get())
                    continue
                _, parts = self._session.feed_identities(socket.recv_multipart())
                message = self._session.deserialize(parts)
                parent = message['parent_header'].get('msg_id')
                if parent == info:
                    if message['msg_type'] == 'kernel_info_reply':
                        self._ready(message['content'])
                elif socket is shell:
                    self._replied(parent, message['content'])
                else:
                    self._published(parent, message)

    def _socket(self, kind, channel):
        socket = self._context.socket(kind)
        # No message is dropped for a reader that is slow.
        socket.linger = socket.rcvhwm = socket.sndhwm = 0
        between = '-' if self._info['transport'] == 'ipc' else ':'
        socket.connect('%s://%s%s%d' % (self._info['transport'], self._info['ip'], between, self._info[channel + '_port']))
        return socket

    def _ready(self, info):
        self._frames.send(
            {
                'ev': 'ready',
                'engine': 'ipykernel',
                'engineVersion': ipykernel.__version__,
                'python': info['language_info']['version'],
                'executable': sys.executable,
            }
        )

    def _execute(self, shell, message):
        content = {
            'code': message['code'],
            'silent': False,
            'store_history': True,
            'user_expressions': {},
            'allow_stdin': False,
            'stop_on_error': False,
        }
        request = self._session.send(shell, 'execute_request', content)
        self._cells[request['header']['msg_id']] = message['id']
        self._open[message['id']] = {'idle', 'reply'}

    def _replied(self, parent, content):
        cell = self._cells.get(parent)
        for payload in content.get('payload', ()):
            if payload.get('source') == 'page':
                self._tell('display', cell, payload.get('data', {}), {}, {})
        self._count = content.get('execution_count', self._count)
        self._ended(cell, 'reply')

    def _published(self, parent, message):
        # Output of no cell of ours is that of the latest one.
        cell = self._cells.get(parent, len(self._cells) and list(self._cells.values())[-1])
        kind, content = message['msg_type'], message['content']
        if kind == 'stream':
            self._frames.send({'ev': 'stream', 'chunks': [(content['name'], cell, content['text'])]})
        elif kind in _events:
            transient = content.get('transient', {})
            self._tell(_events[kind], cell, content['data'], content.get('metadata', {}), transient)
        elif kind == 'clear_output':
            self._tell('clear', cell, {}, {}, {'wait': content.get('wait', False)})
        elif kind == 'error':
            fields = {key: content[key] for key in ('ename', 'evalue', 'traceback')}
            self._frames.send({'ev': 'error', 'id': cell, **fields})
        elif kind == 'status' and content['execution_state'] == 'idle':
            self._ended(cell, 'idle')

    def _ended(self, cell, part):
        rest = self._open.get(cell)
        if rest is None:
            return
        rest.discard(part)
        if not rest:
            del self._open[cell]
            self._frames.send({'ev': 'done', 'id': cell, 'count': self._count})

    def _tell(self, event, cell, data, metadata, transient):
        self._frames.send({'ev': event, 'id': cell, 'data': data, 'metadata': metadata, 'transient': transient})
