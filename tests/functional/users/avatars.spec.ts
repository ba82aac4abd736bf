import { setImmediate as endOfTurn } from 'node:timers/promises'
import { test } from '@japa/runner'
import sharp from 'sharp'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { deleteUser } from '#users/delete_user'
import { withUploadSlot } from '#users/avatars/upload_slots'
import { createUser, signedIn } from '#tests/support/fixtures'
import type { ApiClient } from '@japa/api-client'

const LIMIT = 2 * 1_024 * 1_024

function picture(format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff', width = 40, height = 30) {
  const create = { width, height, channels: 3 as const, background: '#a03060' }
  return sharp({ create }).toFormat(format).toBuffer()
}

/** A picture of exactly this many bytes: bytes after the end of a JPEG do not belong to it. */
async function pictureOfSize(bytes: number) {
  const jpeg = await picture('jpeg')
  return Buffer.concat([jpeg, Buffer.alloc(bytes - jpeg.length)])
}

async function uploader(client: ApiClient) {
  const user = await createUser()
  const { headers } = await signedIn(client, user)
  const upload = (file: Buffer, filename = 'me.png', part = 'file') =>
    client.post('/users/avatar').headers(headers).file(part, file, { filename })
  return { user, headers, upload }
}

test.group('Avatar | upload', () => {
  test('keeps a {format} as 512×512 WebP')
    .with([{ format: 'png' }, { format: 'jpeg' }, { format: 'webp' }] as const)
    .run(async ({ client, assert }, { format }) => {
      const { headers, upload } = await uploader(client)
      const response = await upload(await picture(format))
      response.assertStatus(200)
      assert.match(response.body().avatar, /^\/avatars\/[\w-]{32}\.webp$/)
      const shown = await client.get(response.body().avatar)
      assert.equal(shown.header('content-type'), 'image/webp')
      assert.equal(shown.header('cache-control'), 'private, max-age=300')
      const metadata = await sharp(shown.body()).metadata()
      assert.containsSubset(metadata, { format: 'webp', width: 512, height: 512 })
      const profile = await client.get('/auth/profile').headers(headers)
      assert.equal(profile.body().avatar, response.body().avatar)
    })

  test('drops metadata such as the place', async ({ client, assert }) => {
    const { upload } = await uploader(client)
    const jpeg = await sharp(await picture('jpeg'))
      .withExif({ IFD0: { Copyright: 'Ada' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .toBuffer()
    const response = await upload(jpeg)
    const shown = await client.get(response.body().avatar)
    const metadata = await sharp(shown.body()).metadata()
    assert.isUndefined(metadata.exif)
  })

  test('replaces the picture before', async ({ client, assert }) => {
    const { user, upload } = await uploader(client)
    const first = await upload(await picture('png'))
    const second = await upload(await picture('jpeg'))
    const old = await client.get(first.body().avatar)
    old.assertStatus(404)
    const current = await client.get(second.body().avatar)
    current.assertStatus(200)
    assert.lengthOf(await db.from('avatars').where('user_id', user.id), 1)
  })

  test('keeps the last of many at once', async ({ client, assert }) => {
    const { user, headers, upload } = await uploader(client)
    const file = await picture('png')
    await Promise.all(Array.from({ length: 6 }, () => upload(file)))
    const rows = await db.from('avatars').where('user_id', user.id)
    assert.lengthOf(rows, 1)
    const profile = await client.get('/auth/profile').headers(headers)
    assert.equal(profile.body().avatar, `/avatars/${rows[0].name}`)
  })

  test('ignores the name of the file', async ({ client, assert }) => {
    const { upload } = await uploader(client)
    const response = await upload(await picture('png'), '../../../etc/cron.d/x.svg')
    response.assertStatus(200)
    assert.match(response.body().avatar, /^\/avatars\/[\w-]{32}\.webp$/)
  })
})

test.group('Avatar | refusals', () => {
  test('refuses {name}')
    .with([
      { name: 'a GIF', file: () => picture('gif') },
      { name: 'a TIFF', file: () => picture('tiff') },
      {
        name: 'an SVG',
        file: async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      },
      { name: 'a page', file: async () => Buffer.from('<script>alert(1)</script>') },
      { name: 'an empty file', file: async () => Buffer.alloc(0) },
      {
        name: 'a broken picture',
        file: async () => {
          const whole = await picture('png', 400, 400)
          return whole.subarray(0, 100)
        },
      },
      { name: 'a picture of 16.004 megapixels', file: () => picture('png', 4_001, 4_000) },
    ])
    .run(async ({ client, assert }, { file }) => {
      const { headers, upload } = await uploader(client)
      const response = await upload(await file())
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, 'file')
      const profile = await client.get('/auth/profile').headers(headers)
      assert.isNull(profile.body().avatar)
    })

  test('accepts 16 megapixels', async ({ client }) => {
    const { upload } = await uploader(client)
    const response = await upload(await picture('png', 4_000, 4_000))
    response.assertStatus(200)
  })

  test('answers {status} to {bytes} bytes')
    .with([
      { bytes: LIMIT - 1, status: 200 },
      { bytes: LIMIT, status: 200 },
      { bytes: LIMIT + 1, status: 413 },
      { bytes: LIMIT * 2, status: 413 },
    ])
    .run(async ({ client }, { bytes, status }) => {
      const { upload } = await uploader(client)
      const response = await upload(await pictureOfSize(bytes))
      response.assertStatus(status)
    })

  test('needs a part named file and a multipart body', async ({ client, assert }) => {
    const { headers, upload } = await uploader(client)
    const other = await upload(await picture('png'), 'me.png', 'picture')
    other.assertStatus(400)
    assert.equal(other.body().errors[0].field, 'file')
    const json = await client.post('/users/avatar').headers(headers).json({ file: 'x' })
    json.assertStatus(415)
  })

  test('refuses two files: {parts}')
    .with([{ parts: ['file', 'file'] }, { parts: ['file', 'other'] }, { parts: ['other', 'file'] }])
    .run(async ({ client, assert }, { parts }) => {
      const { headers } = await signedIn(client, await createUser())
      const file = await picture('png')
      const request = client.post('/users/avatar').headers(headers)
      for (const part of parts) request.file(part, file, { filename: 'me.png' })
      const response = await request
      response.assertStatus(400)
      assert.containsSubset(response.body().errors, [{ field: 'file', rule: 'single' }])
    })

  test('receives four of one user at once, lets twelve wait', async ({ assert }) => {
    const { id } = await createUser()
    const { promise: end, resolve: finish } = Promise.withResolvers<void>()
    let running = 0
    const upload = () =>
      withUploadSlot(id, async () => {
        running++
        await end
      })
    const uploads = Array.from({ length: 17 }, upload)
    // No upload has ended yet. The first to settle is the upload for which no place is left.
    await assert.rejects(() => Promise.race(uploads), /Too many pictures/)
    await endOfTurn()
    assert.equal(running, 4)
    finish()
    const results = await Promise.allSettled(uploads)
    const refused = results.filter(({ status }) => status === 'rejected')
    assert.lengthOf(refused, 1)
    assert.equal(running, 16)
    await assert.doesNotReject(upload)
  })

  test('refuses a body that ends within part {part}')
    .with([{ part: 'file' }, { part: 'picture' }])
    .run(async ({ client, assert }, { part }) => {
      const { headers } = await uploader(client)
      const head = `content-disposition: form-data; name="${part}"; filename="a"`
      const response = await fetch(`http://127.0.0.1:${process.env.PORT}/users/avatar`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
        body: `--b\r\n${head}\r\n\r\nabc`,
      })
      assert.equal(response.status, 400)
    })

  test('knows no picture by {name}')
    .with([{ name: '%00.webp' }, { name: `${'a'.repeat(31)}%00.webp` }, { name: 'x.webp' }])
    .run(async ({ client }, { name }) => {
      const response = await client.get(`/avatars/${name}`)
      response.assertStatus(404)
    })

  test('needs a token', async ({ client }) => {
    const response = await client.post('/users/avatar').file('file', await picture('png'))
    response.assertStatus(401)
  })
})

test.group('Avatar | removal', () => {
  test('takes the picture away', async ({ client, assert }) => {
    const { headers, upload } = await uploader(client)
    const uploaded = await upload(await picture('png'))
    const response = await client.delete('/users/avatar').headers(headers)
    response.assertStatus(200)
    assert.isNull(response.body().avatar)
    const shown = await client.get(uploaded.body().avatar)
    shown.assertStatus(404)
  })

  test('comes with the user that is deleted', async ({ client, assert }) => {
    const { user, upload } = await uploader(client)
    const uploaded = await upload(await picture('png'))
    await deleteUser(user.id, SYSTEM)
    const shown = await client.get(uploaded.body().avatar)
    shown.assertStatus(404)
    assert.lengthOf(await db.from('avatars').where('user_id', user.id), 0)
  })
})
