import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Builds the product, so that no start of the measurement includes the build. */
export function buildProduct() {
  const cwd = join(import.meta.dirname, '../..')
  const { status, stdout, stderr } = spawnSync(process.execPath, ['ace.js', 'build'], {
    cwd,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The build failed.\n${stdout}${stderr}`)
}
