import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findOrInstall, installPackages } from '#tests/support/debian'
import { freePort } from '#tests/support/free_port'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { ServerProcess } from './process.ts'

const MODULES = {
  mpm_event: 'mod_mpm_event.so',
  authn_core: 'mod_authn_core.so',
  authz_core: 'mod_authz_core.so',
  authz_user: 'mod_authz_user.so',
  dir: 'mod_dir.so',
  include: 'mod_include.so',
  auth_openidc: 'mod_auth_openidc.so',
}

interface Site {
  /** The pages by path. `<!--#echo var="…" -->` is replaced in them. */
  pages: Record<string, string>
  /** Further lines of the configuration, for a site at this address. */
  settings: (url: string) => string[] | Promise<string[]>
  env?: Record<string, string>
}

/** A private Apache with `mod_auth_openidc` on a free loopback port, in a folder of its own. */
export class Apache {
  private constructor(
    readonly url: string,
    readonly folder: string,
    readonly server: ServerProcess
  ) {}

  static install() {
    installPackages('libapache2-mod-auth-openidc')
    return findOrInstall('apache2', 'apache2')
  }

  static async start({ pages, settings, env = {} }: Site) {
    const apache = Apache.install()
    const [folder, port] = [temporaryFolder('apache'), await freePort()]
    const url = `http://127.0.0.1:${port}`
    for (const [path, html] of Object.entries(pages)) write(join(folder, 'site', path), html)
    for (const name of ['.', 'site']) chmodSync(join(folder, name), 0o755)
    const file = join(folder, 'apache.conf')
    const lines = [...ownSettings(folder, port), ...(await settings(url))]
    writeFileSync(file, lines.join('\n'))
    const options = { env: { ...process.env, ...env } }
    const server = await ServerProcess.start([apache, '-X', '-f', file], options, () =>
      fetch(url).then(() => true)
    )
    return new Apache(url, folder, server)
  }

  async remove() {
    await this.server.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Makes a file readable for the user that Apache becomes. */
function write(file: string, text: string) {
  mkdirSync(dirname(file), { recursive: true })
  chmodSync(dirname(file), 0o755)
  writeFileSync(file, text)
  chmodSync(file, 0o644)
}

function ownSettings(folder: string, port: number) {
  const modules = Object.entries(MODULES).map(
    ([name, file]) => `LoadModule ${name}_module /usr/lib/apache2/modules/${file}`
  )
  return [
    `ServerRoot ${folder}`,
    'ServerName 127.0.0.1',
    `Listen 127.0.0.1:${port}`,
    `PidFile ${folder}/apache.pid`,
    `ErrorLog ${folder}/error.log`,
    `DefaultRuntimeDir ${folder}`,
    'Mutex posixsem',
    ...modules,
    `DocumentRoot ${folder}/site`,
    'DirectoryIndex index.html',
    ...(process.getuid?.() === 0 ? ['User nobody', 'Group nogroup'] : []),
    `<Directory ${folder}/site>`,
    'Options +Includes',
    'SetOutputFilter INCLUDES',
    'ForceType text/html',
    '</Directory>',
  ]
}
