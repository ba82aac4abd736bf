import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findOrInstall } from '#tests/support/debian'
import { temporaryFolder } from '#tests/support/temporary_folder'

/*
 | Builds the image of our Dockerfile with programs from Debian: `debootstrap` makes its base, and
 | `buildah` the image. Docker and a registry are not needed.
 */

const root = join(import.meta.dirname, '../..')

/** The base that the Dockerfile names, such as node:24-bookworm-slim. */
const [, OFFICIAL, SUITE] = /^FROM (node:\d+-([a-z]+)-slim)$/m.exec(
  readFileSync(join(root, 'Dockerfile'), 'utf8')
)!

const BASE = 'localhost/base'
const IMAGE = 'localhost/gatehouse'

/** The number of files that many engines let a build step open. */
const OPEN_FILES = 1_024

/** Folders of Debian that the slim image leaves out. */
const LEFT_OUT = ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/locale']

/** The user that the official image adds to Debian, beside Node. */
const ADD_USER = ['useradd', '--create-home', '--uid=1000', '--user-group', 'node']

export interface ImageConfig {
  User: string
  Env: string[]
  Cmd: string[]
  WorkingDir: string
  Volumes: Record<string, object>
  Healthcheck: { Test: string[] }
}

/** The product makes new files private to their owner, but every user must read the image. */
function run(program: string, args: string[], env: NodeJS.ProcessEnv = process.env) {
  const script = ['-c', 'PATH="$PATH:/usr/sbin" && umask 022 && exec "$@"', 'sh', program, ...args]
  const maxBuffer = 64 * 1024 * 1024
  return execFileSync('sh', script, { cwd: root, env, encoding: 'utf8', stdio: 'pipe', maxBuffer })
}

export class ContainerImage {
  readonly folder = temporaryFolder('image')

  /** Replaces the stage `build` of the Dockerfile: it contains what its last command leaves. */
  readonly #stage = join(this.folder, 'build')

  readonly layers = join(this.#stage, 'image')

  /** @returns what the command of the Dockerfile prints about the layers */
  makeLayers() {
    const args = ['--import=@poppinss/ts-exec', 'bin/image.ts', `--output=${this.layers}`]
    return run('prlimit', [`--nofile=${OPEN_FILES}`, process.execPath, ...args])
  }

  build() {
    this.#makeBase()
    const contexts = [`${OFFICIAL}=container-image://${BASE}`, `build=${this.#stage}`]
    const context = join(this.folder, 'context')
    mkdirSync(context)
    this.#buildah([
      'build',
      '--isolation=chroot',
      '--pull-never',
      '--format=docker',
      ...contexts.flatMap((each) => ['--build-context', each]),
      `--file=${join(root, 'Dockerfile')}`,
      `--tag=${IMAGE}`,
      context,
    ])
  }

  #makeBase() {
    const system = join(this.folder, 'system')
    run(findOrInstall('debootstrap', 'debootstrap'), ['--variant=minbase', SUITE, system])
    run('install', ['-D', process.execPath, join(system, 'usr/local/bin/node')])
    run('chroot', [system, ...ADD_USER])
    for (const path of LEFT_OUT) rmSync(join(system, path), { recursive: true })
    const container = this.#buildah(['from', 'scratch'])
    this.#buildah(['add', '--quiet', container, system, '/'])
    this.#buildah(['commit', '--quiet', '--rm', container, BASE])
    rmSync(system, { recursive: true })
  }

  #buildah(args: string[]) {
    const storage = ['--root', join(this.folder, 'store'), '--runroot', join(this.folder, 'run')]
    const options = ['--storage-driver=vfs', ...storage, ...args]
    const env = { ...process.env, TMPDIR: this.folder }
    return run(findOrInstall('buildah', 'buildah'), options, env).trim()
  }

  /** Returns how the image is run, as the Dockerfile says. */
  readConfig(): ImageConfig {
    return JSON.parse(this.#buildah(['inspect', '--type=image', IMAGE])).Docker.config
  }

  /** The size with the base, as `docker images` shows it. */
  get size() {
    return this.#buildah(['images', '--format={{.Size}}', IMAGE])
  }

  /** @returns a folder with the files of the image; its storage mounts nothing */
  unpack() {
    return this.#buildah(['mount', this.#buildah(['from', '--pull-never', IMAGE])])
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
