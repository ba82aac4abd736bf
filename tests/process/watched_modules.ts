import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '#tests/support/temporary_folder'

const preload = join(import.meta.dirname, 'loaded_modules.js')

/** The settings of a product or a command that notes what it loads, and what that was so far. */
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
