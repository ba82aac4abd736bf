import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Debian does not put the server programs of Postgres into the PATH. */
const FOLDERS = [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/sbin',
  '/usr/lib/postgresql/15/bin',
]

function find(program: string) {
  return FOLDERS.map((folder) => join(folder, program)).find((path) => existsSync(path))
}

const APT_LOCK = join(tmpdir(), 'gatehouse-apt.lock')

/** Runs one `apt-get` at a time, because concurrent suites may need the same package. */
function apt(...args: string[]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('flock', [APT_LOCK, 'apt-get', ...args], { env, encoding: 'utf8' })
}

/** Updates the package lists only if the system has none, or old ones. */
function install(...packages: string[]) {
  const args = ['install', '-y', '--no-install-recommends', ...packages]
  const first = apt(...args)
  if (first.status === 0) return first
  apt('update')
  return apt(...args)
}

/**
 * Returns the path of a program that the tests need beside the product. A missing program is
 * installed from its Debian package, if that is possible without a prompt.
 *
 * @throws an error with the command that installs it, if the tests do not run as root
 */
export function findOrInstall(program: string, debianPackage: string): string {
  const found = find(program)
  if (found) return found
  const remedy = `The tests need ${program}. Install it: apt-get install ${debianPackage}`
  if (process.getuid?.() !== 0 || !find('apt-get')) throw new Error(remedy)
  const { stderr } = install(debianPackage)
  const installed = find(program)
  if (!installed) throw new Error(`${remedy}\n${stderr}`)
  return installed
}

/** Installs Debian packages without a program of their own, such as modules of a server. */
export function installPackages(...packages: string[]) {
  const missing = packages.filter((name) => !isInstalled(name))
  if (missing.length === 0) return
  install(...missing)
  const absent = missing.find((name) => !isInstalled(name))
  if (absent) throw new Error(`The tests need ${absent}. Install it: apt-get install ${absent}`)
}

function isInstalled(name: string) {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f=${Status}', name], { encoding: 'utf8' })
  return stdout?.endsWith(' installed') ?? false
}
