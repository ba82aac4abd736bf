import { relative, resolve } from 'node:path'
import { BaseCheck } from '@adonisjs/core/health'
import env from '#start/env'
import { failed, passed } from '#health/check_result'
import { sentence } from '#i18n/sentences'
import { findExposed } from '#setup/environment/data_dir'

const NAMED = 5

export class FilesCheck extends BaseCheck {
  name = 'files'

  async run() {
    const dataDir = resolve(env.get('DATA_DIR'))
    const exposed = findExposed(dataDir)
    if (exposed.length === 0) return passed(sentence('files.good'))
    const named = exposed.slice(0, NAMED).map(({ path, mode }) => {
      return `${relative(dataDir, path) || 'DATA_DIR'} 0${mode.toString(8)}`
    })
    const files = { files: named.join(', '), more: exposed.length - named.length }
    return failed(sentence('files.exposed', files), sentence('files.remedy', { dataDir }))
  }
}
