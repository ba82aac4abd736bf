import { defineConfig } from '@adonisjs/cors'
import env from '#start/env'
import { allowsCors } from './api_routes.ts'

const origins = env.get('CORS_ORIGINS')

export default defineConfig({
  enabled: allowsCors,
  origin: origins.includes('*') ? '*' : origins,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  headers: [
    'authorization',
    'content-type',
    'x-device-id',
    'x-device-token',
    'x-session-id',
    'link',
    'if-match',
    'x-request-id',
    'x-api-version',
  ],
  exposeHeaders: [
    'link',
    'etag',
    'x-request-id',
    'x-device-token',
    'retry-after',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
    'www-authenticate',
  ],
  credentials: !origins.includes('*') && env.get('AUTH_COOKIES') === 'on',
  maxAge: 600,
})
