import { relative, resolve } from 'node:path'
import { BaseCheck, Result } from '@adonisjs/core/health'
import env from '#start/env'
import { findExposed } from '#setup/environment/data_dir'

const NAMED = 5

export class FilesCheck extends BaseCheck {
  name = 'files'

  async run() {
    const dataDir = resolve(env.get('DATA_DIR'))
    const exposed = findExposed(dataDir)
    if (exposed.length === 0) return Result.ok('modes 0600 and 0700 in DATA_DIR')
    const named = exposed.slice(0, NAMED).map(({ path, mode }) => {
      return `${relative(dataDir, path) || 'DATA_DIR'} 0${mode.toString(8)}`
    })
    const further = exposed.length > NAMED ? ` and ${exposed.length - NAMED} more` : ''
    const remedy = `Run chmod -R u=rwX,go= ${dataDir} as the owner of the files.`
    return Result.failed(`exposed: ${named.join(', ')}${further}`).setMetaData({ remedy })
  }
}
