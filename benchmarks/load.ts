import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findOrInstall } from '../tests/support/debian.ts'
import { temporaryFolder } from '../tests/support/temporary_folder.ts'
import { OTHER_CORES } from './machine.ts'
import type { Request, Service } from './service.ts'

export interface Round {
  /** Good answers in a second. */
  rate: number
  p50: number
  p99: number
  /** Processor time of the server for each answer, in microseconds. */
  cpuUs: number
  failed: number
}

interface Load {
  connections: number
  seconds: number
}

const folder = temporaryFolder('load')

/** Sends each of the requests in turn, and prints the result as one line of JSON. */
function script(requests: Request[]) {
  const formatted = requests.map(({ method, path, headers, body }) => {
    const table = Object.entries(headers).map(([name, value]) => `[${quote(name)}]=${quote(value)}`)
    const text = body === undefined ? 'nil' : quote(body)
    return `wrk.format(${quote(method)}, ${quote(path)}, {${table.join(',')}}, ${text})`
  })
  return `
local requests, turn
init = function() requests = { ${formatted.join(',\n')} } turn = 0 end
request = function() turn = turn % #requests + 1 return requests[turn] end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"requests":%d,"us":%d,"p50":%d,"p99":%d,"failed":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end`
}

/** Strings of JSON are strings of Lua, as long as they are ASCII. */
function quote(text: string) {
  return JSON.stringify(text)
}

/** Runs one bounded round against one service. */
export async function loadWith(
  service: Service,
  requests: Request[],
  { connections, seconds }: Load
): Promise<Round> {
  const file = join(folder, `${service.pid}.lua`)
  writeFileSync(file, script(requests))
  const before = service.cpuTime()
  const wrk = [findOrInstall('wrk', 'wrk'), '-t1', `-c${connections}`, `-d${seconds}s`]
  const command = ['-s', 'KILL', String(seconds + 5), 'taskset', '-c', OTHER_CORES, ...wrk]
  const output = await run('timeout', [...command, '--timeout', '4s', '-s', file, service.url])
  const cpuMs = service.cpuTime() - before
  const result = JSON.parse(output.trim().split('\n').at(-1)!)
  const good = result.requests - result.failed
  return {
    rate: good / (result.us / 1_000_000),
    p50: result.p50 / 1_000,
    p99: result.p99 / 1_000,
    cpuUs: (cpuMs * 1_000) / Math.max(1, result.requests),
    failed: result.failed,
  }
}

async function run(program: string, args: string[]) {
  const child = spawn(program, args)
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}\n${output}`)
  return output
}
