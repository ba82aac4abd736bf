import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SYSTEM } from '#audit/actor'
import { applyConfiguration, type ApplyOptions } from '#configuration/apply/apply'
import { temporaryFolder } from './temporary_folder.ts'

/* Configuration files, each in a folder of its own. */

/** Returns names for records that no other test has. */
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

/** Writes a file. Files are told apart by their names, so each test has its own name. */
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
