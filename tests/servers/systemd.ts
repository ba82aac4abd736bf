import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findOrInstall } from '#tests/support/debian'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { ServerProcess } from './process.ts'

/** Targets that units need by default. Ours are empty, so that the machine's units do not start. */
const TARGETS = ['sysinit', 'basic', 'shutdown', 'network-online']

/**
 * Runs as the first process, in its own namespaces except for the network. A unit writes only to
 * memory, and the machine does not see the mounts.
 */
const START = `
set -e
mount --make-rprivate /
for each in /run /opt /var/lib; do mount -t tmpfs tmpfs $each; done
mkdir /opt/gatehouse
mount --bind "$2" /opt/gatehouse
umount -R /sys/fs/cgroup || true
mount -t cgroup2 none /sys/fs/cgroup
export SYSTEMD_UNIT_PATH="$1" container=other
exec /lib/systemd/systemd --system --unit=gatehouse.service --log-target=console --show-status=0
`

/** A separate systemd that runs `gatehouse.service`, whose program is in `/opt/gatehouse`. */
export class Systemd {
  private constructor(
    readonly folder: string,
    readonly server: ServerProcess
  ) {}

  /** @param program the folder that is `/opt/gatehouse` to the unit */
  static async start(unit: string, program: string, answers: () => Promise<boolean>) {
    findOrInstall('systemd-analyze', 'systemd')
    const folder = temporaryFolder('systemd')
    const units = join(folder, 'units')
    mkdirSync(units)
    writeFileSync(join(units, 'gatehouse.service'), unit)
    for (const name of TARGETS) {
      writeFileSync(join(units, `${name}.target`), '[Unit]\nDefaultDependencies=no\n')
    }
    const namespaces = ['--mount', '--pid', '--fork', '--mount-proc', '--ipc', '--uts', '--cgroup']
    const shell = ['sh', '-c', START, 'sh', units, program]
    const command = ['unshare', ...namespaces, '--kill-child', ...shell]
    return new Systemd(folder, await ServerProcess.start(command, {}, answers))
  }

  /** The id of the systemd process, as the machine sees it. */
  get #pid() {
    const { pid } = this.server.child
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  }

  /** Runs a command of `systemctl`, such as `stop`. */
  control(...args: string[]) {
    return this.#run('systemctl', ...args)
  }

  #run(...args: string[]) {
    const command = ['--target', this.#pid, '--mount', '--pid', ...args]
    const { stdout, stderr } = spawnSync('nsenter', command, { encoding: 'utf8' })
    return stdout + stderr
  }

  /** Returns the kernel's status of the unit's first process. */
  statusOfMain() {
    const [, pid] = this.control('show', '--property=MainPID', 'gatehouse').trim().split('=')
    return this.#run('cat', `/proc/${pid}/status`)
  }

  async remove() {
    await this.server.stop('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}
