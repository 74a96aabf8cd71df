export default { fetch: () => new Response('foldex') }
