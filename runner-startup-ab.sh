for i in 1 2; do
  for side in base runner; do
    cd /tmp/tb/$side; echo "== $side"; npx tsx packages/runners/bench/startup.ts --rounds 3 --services 15 --frameworks fastify --requests 100 2>/dev/null
  done
done
