// biome-ignore-all lint/style/noProcessEnv: a hostile program reads its environment
// Hostile programs that test the sandbox: node attacks.mjs <name> <json options>
// Each prints one line of JSON: { attack, worked, detail }. `worked: true` means that the sandbox failed.
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import fs from 'node:fs';
import net from 'node:net';
import { Worker } from 'node:worker_threads';

const [name, json = '{}'] = import.meta.main ? process.argv.slice(2) : [];
// Resources of the host that a program must not reach: secretFile, outsideFile, canary (a value in the host's
// environment), serverPid, tcpPort, udpPort, unixSocket, abstractSocket.
const host = JSON.parse(json);

const MiB = 2 ** 20;
const report = (worked, detail = '') =>
  fs.writeSync(1, `${JSON.stringify({ attack: name, worked, detail: String(detail).slice(0, 160) })}\n`);

const connect = (...target) =>
  new Promise((resolve, reject) => {
    const socket = net.connect(...target, () => {
      socket.destroy();
      resolve('connected');
    });
    socket.on('error', reject);
    socket.setTimeout(2000, () => reject(new Error('timeout')));
  });

const readHostEnvironment = () => {
  for (const pid of fs.readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      if (fs.readFileSync(`/proc/${pid}/environ`, 'latin1').includes(host.canary)) return pid;
    } catch {
      /* not readable */
    }
  }
};

const attacks = {
  // --- files and environment
  passwd: () => report(fs.readFileSync('/etc/passwd', 'utf8').includes('root:'), 'read /etc/passwd'),
  secret: () => report(true, fs.readFileSync(host.secretFile, 'utf8')),
  symlink: () => report(true, fs.readFileSync(new URL('./link-to-secret', import.meta.url), 'utf8')),
  env: () => report(Object.values(process.env).includes(host.canary), 'own environment'),
  parentenv: () => {
    const pid = readHostEnvironment();
    report(Boolean(pid), pid ? `environment of ${pid}` : 'nothing visible');
  },
  write: () => {
    fs.writeFileSync(host.outsideFile, 'x');
    report(true, `wrote ${host.outsideFile}`);
  },

  // --- network, sockets and signals
  tcp: async () => report(true, await connect(host.tcpPort, '127.0.0.1')),
  unixsock: async () => report(true, await connect(host.unixSocket)),
  absunix: async () => report(true, await connect(`\0${host.abstractSocket}`)),
  udp: () =>
    new Promise((resolve, reject) => {
      const socket = dgram.createSocket('udp4').on('error', reject);
      socket.send('x', host.udpPort, '127.0.0.1', (error) => {
        if (error) return reject(error);
        report(true, 'sent');
        socket.close(resolve);
      });
    }),
  kill: () => {
    process.kill(host.serverPid, 0);
    report(true, 'can signal the server');
  },

  // --- processes and threads
  exec: () => {
    try {
      return report(true, childProcess.execFileSync('/bin/sh', ['-c', 'id']));
    } catch {
      /* no shell; try Node */
    }
    report(true, childProcess.execFileSync(process.execPath, ['-p', '1']));
  },
  binding: () => {
    const pipe = (readable) => ({ type: 'pipe', readable, writable: !readable });
    const spawn = (file, ...args) =>
      process
        .binding('spawn_sync')
        .spawn({ file, args: [file, ...args], stdio: [pipe(true), pipe(false), pipe(false)] });
    const statuses = [spawn('/bin/sh', '-c', 'id'), spawn(process.execPath, '-p', '1')].map(({ status }) => status);
    report(statuses.includes(0), `exit ${statuses}`);
  },
  userns: () => report(true, childProcess.execFileSync('/usr/bin/unshare', ['-Urm', 'id', '-u'])),
  forkbomb: async () => {
    let started = 0;
    let errorCode = '';
    const children = Array.from({ length: 400 }, () =>
      childProcess
        .spawn(process.execPath, ['-e', 'setTimeout(() => {}, 5000)'], { stdio: 'ignore' })
        .on('error', (error) => {
          errorCode = error.code;
        }),
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (const child of children)
      if (child.pid) {
        started++;
        child.kill('SIGKILL');
      }
    report(started >= 100, `${started} of 400 started ${errorCode}`);
    process.exit();
  },
  threads: async () => {
    let started = 0;
    try {
      for (; started < 100; started++) {
        const worker = new Worker('setInterval(() => {}, 1e6)', { eval: true });
        await new Promise((resolve, reject) => worker.on('online', resolve).on('error', reject));
      }
      report(true, '100 threads');
    } catch (error) {
      report(false, `${started} of 100 started, ${error.message}`);
    }
    process.exit();
  },

  // --- memory, disk, CPU and output
  mem: () => {
    const buffers = [];
    for (let i = 0; i < 32; i++) buffers.push(Buffer.alloc(256 * MiB, 1));
    report(true, `${buffers.length * 256} MiB outside the heap`);
  },
  heap: () => {
    const arrays = [];
    for (let i = 0; i < 9 * 1024; i++) arrays.push(new Array(131_072).fill(i));
    report(true, `${arrays.length} MiB of heap`);
  },
  wasm: () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 });
    let touched = 0;
    try {
      for (; touched < 3840; touched += 256) {
        memory.grow(4096);
        new Uint8Array(memory.buffer, memory.buffer.byteLength - 256 * MiB).fill(1);
      }
    } catch {
      /* memory limit reached */
    }
    report(touched >= 3840, `${touched} MiB of WebAssembly memory`);
  },
  disk: () => {
    let written = 0;
    const errorCodes = [];
    for (const folder of [process.env.TMPDIR, '/dev/shm', '/dev', '/out', '.']) {
      const files = [];
      try {
        for (; written < 2048; written += 16) {
          fs.writeFileSync(files[files.push(`${folder}/fill-${files.length}`) - 1], Buffer.alloc(16 * MiB, 1));
        }
      } catch (error) {
        errorCodes.push(error.code);
      }
      for (const file of files) fs.rmSync(file, { force: true });
    }
    report(written > 64, `${written} MiB written, ${errorCodes}`);
  },
  loop: () => {
    for (;;);
  },
  promise: () => {
    const loop = () => Promise.resolve().then(loop);
    loop();
  },
  stdout: () => {
    const line = 'x'.repeat(MiB);
    for (let i = 0; i < 200; i++) process.stdout.write(line);
    process.stdout.write('', () => report(true, '200 MiB accepted'));
  },
};

export const names = Object.keys(attacks);

if (name) {
  const failed = (error) => {
    report(false, `${error.code ?? ''} ${error.message}`);
    process.exit();
  };
  process.on('uncaughtException', failed);
  await Promise.resolve().then(attacks[name]).catch(failed);
}
