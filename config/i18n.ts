import app from '@adonisjs/core/services/app'
import { resolve } from 'node:path'
import { defineConfig, loaders } from '@adonisjs/i18n'
import env from '#start/env'
import { CachedFormatter } from '#i18n/cached_formatter'
import { readOperatorMessages } from '#i18n/operator_messages'

const productFolder = app.makePath('resources/lang')

/** The API stays English, because clients read its codes. */
export default defineConfig({
  defaultLocale: 'en',
  formatter: () => new CachedFormatter(),
  loaders: [
    loaders.fs({ location: productFolder }),
    () => ({
      load: async () => {
        const logger = await app.container.make('logger')
        const folder = resolve(env.get('DATA_DIR'), 'lang')
        return readOperatorMessages({ folder, productFolder, logger })
      },
    }),
  ],
})
