import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findOrInstall } from '#tests/support/debian'
import { ServerProcess } from './process.ts'
import type { ContainerImage, ImageConfig } from './container_image.ts'

/** The folders of these mounts belong to the machine, whose network the container shares. */
const NOT_MOUNTED = ['sysfs', 'cgroup', 'cgroup2']

/** An engine refuses a machine with both versions of control groups, so it sees the newer one. */
const WITH_CGROUPS = 'mount -t cgroup2 none /sys/fs/cgroup && exec "$@"'

/**
 | A container as an engine (here `crun`) runs it: read-only, as the image's user, without
 | capabilities. Its mounts end with its processes.
 */
export class Container {
  readonly dataDir: string
  readonly config: ImageConfig
  readonly #folder: string
  readonly #name: string
  readonly #files: string
  #server?: ServerProcess

  constructor(image: ContainerImage) {
    this.#folder = image.folder
    this.#name = basename(image.folder)
    this.config = image.readConfig()
    this.#files = image.unpack()
    this.dataDir = join(image.folder, 'data')
  }

  /** @returns the milliseconds until `answers` */
  async start(settings: Record<string, string>, answers: () => Promise<boolean>) {
    mkdirSync(this.dataDir, { mode: 0o700 })
    chownSync(this.dataDir, this.uid, this.uid)
    this.#writeBundle(settings)
    const startedAt = performance.now()
    const command = this.#engine('run', `--bundle=${this.#folder}`, this.#name)
    this.#server = await ServerProcess.start(command, {}, answers)
    return Math.round(performance.now() - startedAt)
  }

  get uid() {
    const users = readFileSync(join(this.#files, 'etc/passwd'), 'utf8')
    const entry = new RegExp(`^${this.config.User}:[^:]*:(\\d+):`, 'm').exec(users)
    return Number(entry![1])
  }

  #writeBundle(settings: Record<string, string>) {
    execFileSync(findOrInstall('crun', 'crun'), ['spec'], { cwd: this.#folder })
    const file = join(this.#folder, 'config.json')
    const spec = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify(this.#specOf(spec, settings)))
  }

  #specOf({ ociVersion, mounts, linux }: any, settings: Record<string, string>) {
    const { Env, Cmd, WorkingDir } = this.config
    const own = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
    const [user, env] = [{ uid: this.uid, gid: this.uid }, [...Env, ...own]]
    const process = { user, env, args: Cmd, cwd: WorkingDir, noNewPrivileges: true }
    const kept = mounts.filter(({ type }: { type: string }) => !NOT_MOUNTED.includes(type))
    const data = { type: 'bind', source: this.dataDir, destination: '/data', options: ['bind'] }
    const namespaces = ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type }))
    return {
      ociVersion,
      process: { ...process, capabilities: {} },
      root: { path: this.#files, readonly: true },
      mounts: [...kept, data],
      linux: { ...linux, namespaces, resources: undefined },
    }
  }

  #engine(...args: string[]) {
    const state = ['--root', join(this.#folder, 'containers'), '--cgroup-manager=disabled']
    const crun = [findOrInstall('crun', 'crun'), ...state, ...args]
    return ['unshare', '--mount', 'sh', '-c', WITH_CGROUPS, 'sh', ...crun]
  }

  /** Runs a command in the container, as its health check is run. */
  execute(...command: string[]) {
    return this.#run('exec', this.#name, ...command)
  }

  #run(...args: string[]) {
    const [program, ...rest] = this.#engine(...args)
    return spawnSync(program, rest, { encoding: 'utf8' })
  }

  /** The id of the container's first process, as the machine sees it. */
  get pid(): number {
    return JSON.parse(this.#run('state', this.#name).stdout).pid
  }

  /** @returns the exit code of the container's first process */
  async stop() {
    const { child } = this.#server!
    this.#run('kill', this.#name, 'TERM')
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
    return child.exitCode
  }

  async remove() {
    this.#run('delete', '--force', this.#name)
    await this.#server?.stop('SIGKILL')
  }
}
