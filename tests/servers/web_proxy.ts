import { once } from 'node:events'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findOrInstall } from '#tests/support/debian'
import { freePort } from '#tests/support/free_port'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { Certificate } from './certificate.ts'
import { ServerProcess } from './process.ts'

/** The host name in the files of `examples/`. */
export const HOST = 'auth.example.org'

const examples = join(import.meta.dirname, '../../examples')

interface ProxySetup {
  folder: string
  httpPort: number
  httpsPort: number
  /** The port of the product. */
  port: number
  certificate: Certificate
}

/** Replaces what an operator replaces. Throws an error if the example has no such line. */
function fillIn(example: string, values: Record<string, string>) {
  let file = readFileSync(join(examples, example), 'utf8')
  for (const [from, to] of Object.entries(values)) {
    if (!file.includes(from)) throw new Error(`examples/${example} has no “${from}”`)
    file = file.replaceAll(from, to)
  }
  return file
}

/** @returns the command */
function nginx({ folder, httpPort, httpsPort, port, certificate }: ProxySetup) {
  const site = fillIn('nginx/gatehouse.conf', {
    'listen 80;': `listen 127.0.0.1:${httpPort};`,
    'listen [::]:80;': '',
    'listen 443 ssl;': `listen 127.0.0.1:${httpsPort} ssl;`,
    'listen [::]:443 ssl;': '',
    '/etc/ssl/auth.example.org.pem': certificate.file,
    '/etc/ssl/auth.example.org.key': certificate.key,
    '127.0.0.1:3333': `127.0.0.1:${port}`,
  })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`
  )
  const http = ['access_log off;', ...temporary, site].join('\n')
  const main = `daemon off;\npid ${folder}/nginx.pid;\nevents {}\nhttp {\n${http}}\n`
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, main)
  return [findOrInstall('nginx', 'nginx'), '-e', 'stderr', '-p', folder, '-c', file]
}

/** @returns the command */
function caddy({ folder, httpPort, httpsPort, port, certificate }: ProxySetup) {
  const site = fillIn('caddy/Caddyfile', {
    [`${HOST} {`]: `${HOST} {\n\tbind 127.0.0.1\n\ttls ${certificate.file} ${certificate.key}`,
    '127.0.0.1:3333': `127.0.0.1:${port}`,
  })
  const options = ['admin off', `http_port ${httpPort}`, `https_port ${httpsPort}`]
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n${options.join('\n')}\nstorage file_system ${folder}\n}\n${site}`)
  return [findOrInstall('caddy', 'caddy'), 'run', '--adapter', 'caddyfile', '--config', file]
}

export const WEB_PROXIES = { nginx, caddy }

export type Kind = keyof typeof WEB_PROXIES

interface ProxyRequest extends RequestOptions {
  body?: string | Buffer
}

/** A reverse proxy from Debian on loopback, configured as by its file in `examples/`. */
export class WebProxy {
  private constructor(
    readonly setup: ProxySetup,
    readonly server: ServerProcess
  ) {}

  /** @param port the port of the product */
  static async start(kind: Kind, port: number) {
    const folder = temporaryFolder(kind)
    /** The user that nginx becomes needs access. */
    chmodSync(folder, 0o755)
    const ports = { httpPort: await freePort(), httpsPort: await freePort(), port }
    const setup = { ...ports, folder, certificate: new Certificate(`DNS:${HOST}`) }
    const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }
    const server = await ServerProcess.start(WEB_PROXIES[kind](setup), { env }, async () => {
      const { status } = await ask(setup, '/health/live')
      return status === 200
    })
    return new WebProxy(setup, server)
  }

  /** Sends a request by https. */
  ask(path: string, options: ProxyRequest = {}) {
    return ask(this.setup, path, options)
  }

  /** Sends a request by http. */
  async askPlain(path: string) {
    const options = { host: '127.0.0.1', port: this.setup.httpPort, path, headers: { host: HOST } }
    return answerOf(requestPlain(options).end())
  }

  async remove() {
    await this.server.stop()
    this.setup.certificate.remove()
    rmSync(this.setup.folder, { recursive: true, force: true })
  }
}

function ask(
  { httpsPort, certificate }: ProxySetup,
  path: string,
  { body, headers, ...rest }: ProxyRequest = {}
) {
  const at = { host: '127.0.0.1', port: httpsPort, servername: HOST, ...certificate.options }
  const named = { host: HOST, ...(headers as Record<string, string>) }
  return answerOf(request({ ...at, agent: false, path, headers: named, ...rest }).end(body))
}

async function answerOf(sent: ReturnType<typeof request>) {
  const [answer]: IncomingMessage[] = await once(sent, 'response')
  return { status: answer.statusCode!, headers: answer.headers, text: await text(answer) }
}
