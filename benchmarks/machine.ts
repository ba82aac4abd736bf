import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'

/** The core of the servers, and the cores of the load generator and the databases. */
export const SERVER_CORE = '0'
export const OTHER_CORES = availableParallelism() > 1 ? `1-${availableParallelism() - 1}` : '0'
export const ALL_CORES = `0-${availableParallelism() - 1}`

/** Clock ticks of `/proc` are hundredths of a second on Linux. */
const TICK_MS = 10

/** Moves a process with all its threads to other cores. */
export function pin(pid: number, cores: string) {
  execFileSync('taskset', ['-apc', cores, String(pid)], { stdio: 'pipe' })
}

/** Returns the child of a script that waits for it, or the given process. */
export function programOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const isScript = readFileSync(`/proc/${pid}/comm`, 'utf8').endsWith('.sh\n')
  return isScript && children[0] ? Number(children[0]) : pid
}

/** Processor time that a process has used so far, in milliseconds. */
export function cpuTime(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** Resident memory of a process, in megabytes. */
export function residentMemory(pid: number) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Math.round(Number(kilobytes) / 1_024)
}

export function describeMachine() {
  return {
    cores: availableParallelism(),
    processor: cpus()[0].model.trim(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    loadAverage: readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 3).join(' '),
  }
}
