import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findOrInstall, installPackages } from '#tests/support/debian'
import { freePort } from '#tests/support/free_port'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { Apache } from '#tests/servers/apache'
import type { Certificate } from '#tests/servers/certificate'
import { ServerProcess } from '#tests/servers/process'
import { BUSY_MS } from './product.ts'

/*
 | Services that verify tokens of Gatehouse. They run the examples in `docs/verify-tokens.md` and
 | its sequel.
 */

const root = join(import.meta.dirname, '../..')
const DOCUMENT = ['verify-tokens', 'verify-tokens-elsewhere']
  .map((name) => readFileSync(join(root, `docs/${name}.md`), 'utf8'))
  .join('\n')
const ISSUER = 'https://auth.example.org'

const CLIENT = 'client-id-of-an-application'

/** Returns the example in a language, for an issuer of the tests and a known application. */
function exampleOf(language: string, { issuer, client = CLIENT }: Options) {
  const [, example] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(DOCUMENT)!
  return example.replaceAll(ISSUER, issuer).replaceAll(CLIENT, client)
}

export interface Verifier {
  /** `good`, or the reason why the token is refused. */
  verify(token: string): Promise<string>
  remove(): Promise<void>
}

type Environment = Record<string, string>

function newFolder() {
  return temporaryFolder('verifier')
}

/** A program that reads a token from each line, and writes a line for it. */
class LineVerifier implements Verifier {
  readonly #waiting: ((answer: string) => void)[] = []
  readonly #child: ChildProcess

  constructor(
    command: string[],
    env: Environment,
    readonly folder: string
  ) {
    const [program, ...args] = command
    this.#child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: this.#child.stdout! })
    lines.on('line', (line) => this.#waiting.shift()?.(line))
  }

  verify(token: string) {
    const answer = new Promise<string>((resolve) => this.#waiting.push(resolve))
    this.#child.stdin!.write(`${token}\n`)
    return answer
  }

  async remove() {
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exit
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const TYPESCRIPT_MAIN = `
import { createInterface } from 'node:readline'
import { verifyToken } from './example.ts'

for await (const token of createInterface({ input: process.stdin })) {
  console.log(await verifyToken(token).then(() => 'good', (error) => String(error)))
}
`

interface Options {
  issuer: string
  /** The application whose tokens the service accepts. */
  client?: string
  env?: Environment
  /** Whether keys are kept for at least five minutes, even if a token names an unknown key. */
  isStrict?: boolean
}

export function typescriptVerifier(options: Options): Verifier {
  const { env = {}, isStrict = false } = options
  const folder = newFolder()
  /** On a busy machine, keys may take longer than the five seconds of the library. */
  const patience = `timeoutDuration: ${BUSY_MS}`
  const more = isStrict ? `${patience}, cooldownDuration: 300_000` : patience
  const cache = 'cacheMaxAge: 300_000'
  const example = exampleOf('ts', options).replace(cache, `${cache}, ${more}`)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'example.ts'), example)
  writeFileSync(join(folder, 'main.ts'), TYPESCRIPT_MAIN)
  const command = [process.execPath, '--import=@poppinss/ts-exec', join(folder, 'main.ts')]
  return new LineVerifier(command, env, folder)
}

const PYTHON_MAIN = `
import sys
from example import jwt, verify_token

for line in sys.stdin:
    try:
        verify_token(line.strip())
        print("good", flush=True)
    except jwt.PyJWTError as error:
        print(repr(error), flush=True)
`

export function pythonVerifier(options: Options): Verifier {
  installPackages('python3-jwt', 'python3-cryptography')
  const folder = newFolder()
  writeFileSync(join(folder, 'example.py'), exampleOf('python', options))
  writeFileSync(join(folder, 'main.py'), PYTHON_MAIN)
  return new LineVerifier(['/usr/bin/python3', join(folder, 'main.py')], options.env ?? {}, folder)
}

const GO_MAIN = `package main

import (
	"bufio"
	"fmt"
	"os"

	"example/tokens"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if _, err := tokens.Verify(lines.Text()); err != nil {
			fmt.Println(err)
		} else {
			fmt.Println("good")
		}
	}
}
`

/** Kept between runs: it contains the standard library, which takes a minute to compile. */
const GO_CACHE = join(tmpdir(), 'gatehouse-go-cache')

/** Go is not installed for a test, because its package is ten times the size of the others. */
export const hasGo = spawnSync('go', ['version']).status === 0

export function goVerifier(options: Options): Verifier {
  const { env = {} } = options
  const folder = newFolder()
  mkdirSync(join(folder, 'tokens'))
  writeFileSync(join(folder, 'go.mod'), 'module example\n\ngo 1.19\n')
  writeFileSync(join(folder, 'main.go'), GO_MAIN)
  writeFileSync(join(folder, 'tokens/tokens.go'), exampleOf('go', options))
  const go = { GOCACHE: GO_CACHE, GOPATH: join(folder, 'path'), GOPROXY: 'off' }
  const args = ['build', '-o', 'verifier', '.']
  execFileSync('go', args, { cwd: folder, env: { ...process.env, ...go }, stdio: 'pipe' })
  return new LineVerifier([join(folder, 'verifier')], env, folder)
}

/** A real web server that serves a file at `/api/`. */
class WebServerVerifier implements Verifier {
  constructor(
    readonly server: ServerProcess,
    readonly url: string,
    readonly folder: string
  ) {}

  async verify(token: string) {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${this.url}/api/`, { headers })
    const text = await response.text()
    return response.status === 200 && text === 'behind' ? 'good' : `${response.status}`
  }

  async remove() {
    await this.server.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** @param keysUrl the https address of the public keys, because the module requires https */
export async function apacheVerifier(options: Options, keysUrl: string): Promise<Verifier> {
  const { issuer, env = {} } = options
  const example = exampleOf('apache', options).replace(`JwksUri ${issuer}`, `JwksUri ${keysUrl}`)
  const { url, folder, server } = await Apache.start({
    pages: { 'api/index.html': 'behind' },
    settings: () => ['OIDCOAuthSSLValidateServer Off', example],
    env,
  })
  return new WebServerVerifier(server, url, folder)
}

export async function nginxVerifier(options: Options): Promise<Verifier> {
  const { env = {} } = options
  const nginx = findOrInstall('nginx', 'nginx-light')
  const [folder, port, behind] = [newFolder(), await freePort(), await freePort()]
  const example = exampleOf('nginx', options).replace(
    'http://127.0.0.1:8080',
    `http://127.0.0.1:${behind}`
  )
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''} pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
    http { access_log off; ${temporary.join(' ')}
    server { listen 127.0.0.1:${behind}; location / { return 200 "behind"; } }
    server { listen 127.0.0.1:${port}; ${example} } }`
  )
  const command = [nginx, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]
  return startWebServer(command, { folder, port, env })
}

async function startWebServer(
  command: string[],
  { folder, port, env }: { folder: string; port: number; env: Environment }
) {
  const url = `http://127.0.0.1:${port}`
  const options = { env: { ...process.env, ...env } }
  const server = await ServerProcess.start(command, options, async () => {
    const response = await fetch(`${url}/api/`)
    return response.status === 401
  })
  return new WebServerVerifier(server, url, folder)
}

/** A load balancer that connects to its servers in turn, with TLS if a certificate is given. */
export class LoadBalancer {
  #next = 0

  private constructor(
    readonly server: Server,
    readonly ports: number[]
  ) {}

  static async start(ports: number[], certificate?: Certificate) {
    const server = certificate ? createTlsServer(certificate.pair) : createServer()
    const balancer = new LoadBalancer(server, ports)
    server.on(certificate ? 'secureConnection' : 'connection', (client) => balancer.#accept(client))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return balancer
  }

  #accept(client: Socket) {
    const port = this.ports[this.#next++ % this.ports.length]
    const upstream = connect(port, '127.0.0.1')
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  }

  get port() {
    return (this.server.address() as AddressInfo).port
  }

  remove() {
    this.server.close()
  }
}
