import router from '@adonisjs/core/services/router'
import { controllers } from '#generated/controllers'
import { middleware } from '#start/kernel'

const { api } = controllers

const isCompressed = middleware.compress({ answer: 'private' })

function groupRoutes() {
  router.get('groups', [api.Groups, 'index']).use(isCompressed)
  router.post('groups', [api.Groups, 'store'])
  router.get('groups/:id', [api.Groups, 'show'])
  router.put('groups/:id', [api.Groups, 'update'])
  router.delete('groups/:id', [api.Groups, 'destroy'])
}

function memberRoutes() {
  router.get('groups/:id/members', [api.GroupMembers, 'index']).use(isCompressed)
  router.put('groups/:id/members/:userId', [api.GroupMembers, 'update'])
  router.delete('groups/:id/members/:userId', [api.GroupMembers, 'destroy'])
  router.get('users/:id/groups', [api.UserGroups, 'show'])
  router.put('users/:id/groups', [api.UserGroups, 'update'])
}

router.get('auth/groups', [api.UserGroups, 'own']).use(middleware.auth())

router
  .group(() => {
    groupRoutes()
    memberRoutes()
  })
  .use([middleware.auth(), middleware.requireAdmin({ guard: 'api' }), middleware.jsonBody()])
