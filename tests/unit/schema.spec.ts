import { readdirSync } from 'node:fs'
import { test } from '@japa/runner'
import app from '@adonisjs/core/services/app'
import * as schema from '#database/schema'

test.group('Schema', () => {
  test('generated classes belong to a model each', ({ assert }) => {
    const models = readdirSync(app.makePath('app/models')).map((file) => file.replace('.ts', ''))
    const classes = Object.keys(schema).map((name) => name.replace('Schema', '').toLowerCase())
    assert.includeMembers(models, classes)
  })
})
