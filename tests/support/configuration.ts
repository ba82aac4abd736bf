import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SYSTEM } from '#audit/actor'
import { applyConfiguration, type ApplyOptions } from '#configuration/apply/apply'
import { temporaryFolder } from './temporary_folder.ts'

/* Configuration files, each in a folder of its own. */

/** Each test has records of its own. */
export function someNames() {
  const id = randomUUID()
  return {
    file: `${id}.yaml`,
    source: `source: ${id}\n`,
    group: `Staff ${id}`,
    client: `app-${id}`,
    account: `robot-${id}`,
  }
}

/** Names tell one file from another, so that each test has its own. */
export async function configurationFile(text: string, name = `${randomUUID()}.yaml`) {
  const file = join(temporaryFolder('configuration'), name)
  await writeFile(file, text)
  return file
}

export async function apply(text: string, options: Partial<ApplyOptions> & { name?: string } = {}) {
  const { name, ...others } = options
  const file = await configurationFile(text, name)
  return applyConfiguration([file], { actor: SYSTEM, ...others })
}
