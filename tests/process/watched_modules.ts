import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '#tests/support/temporary_folder'

const preload = join(import.meta.dirname, 'loaded_modules.js')

/** Returns settings that record what a product or a command loads, and the record so far. */
export function watchModules() {
  const list = join(temporaryFolder('modules'), 'list')
  return {
    settings: { NODE_OPTIONS: `--import=${preload}`, LOADED_MODULES: list },
    loaded: (part: string) =>
      readFileSync(list, 'utf8')
        .split('\n')
        .filter((url) => url.includes(part)),
  }
}
