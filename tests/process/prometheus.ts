import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findOrInstall } from '#tests/support/debian'
import { freePort } from '#tests/support/free_port'
import { temporaryFolder } from '#tests/support/temporary_folder'

/** Debian's Prometheus, which scrapes processes of the product every second. */
export class Prometheus {
  private constructor(
    readonly url: string,
    readonly folder: string,
    readonly child: ChildProcess
  ) {}

  static async start(targets: string[], token: string) {
    const program = findOrInstall('prometheus', 'prometheus')
    const folder = temporaryFolder('prometheus')
    const config = {
      global: { scrape_interval: '1s' },
      scrape_configs: [
        {
          job_name: 'gatehouse',
          authorization: { credentials: token },
          static_configs: [{ targets: targets.map((url) => new URL(url).host) }],
        },
      ],
    }
    // JSON is valid YAML.
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
    const address = `127.0.0.1:${await freePort()}`
    const args = [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ]
    return new Prometheus(`http://${address}`, folder, spawn(program, args, { stdio: 'ignore' }))
  }

  /** Returns the value of an expression, or null while it has none. */
  async query(expression: string) {
    const query = new URLSearchParams({ query: expression })
    const response = await fetch(`${this.url}/api/v1/query?${query}`).catch(() => null)
    if (!response?.ok) return null
    const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } }
    return data.result.length === 1 ? Number(data.result[0].value[1]) : null
  }

  async remove() {
    const exit = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await exit
    rmSync(this.folder, { recursive: true, force: true })
  }
}
