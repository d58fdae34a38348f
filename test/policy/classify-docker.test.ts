import { describe } from 'vitest';
import { testTable } from './classify-table.js';

describe('docker', () => {
  testTable(`
docker => low |  |  | none
docker ps -a => low | ps |  | none
docker ps -aq --filter name=web => low | ps |  | none
docker --host=tcp://evil:2375 ps => low | ps |  | none |  | --host=tcp://evil:2375
docker -H tcp://evil:2375 ps => low | ps |  | none |  | --host=tcp://evil:2375
docker -Htcp://evil:2375 ps => low | ps |  | none |  | --host=tcp://evil:2375
docker --context=prod ps => low | ps |  | none |  | --context=prod
docker -c prod ps => low | ps |  | none |  | --context=prod
docker --config /tmp/x ps => high | ps |  | none |  | --config=/tmp/x
docker --tlsverify ps => high | ps |  | none |  | --tlsverify
docker --tlscacert=/x ps => high | ps |  | none |  | --tlscacert=/x
docker ps --sneaky => high | ps |  | unknown
docker -Z ps => high | ps |  | unknown
docker -- rm x => high |  |  | unknown
docker ps | cat => high | ps |  | unknown
docker container ls => low | container ls |  | none
docker container list -a => low | container list |  | none
docker logs -f --tail 10 web => low | logs | web | one
docker logs web > out => high | logs | web | unknown
docker inspect web => medium | inspect | web | one
docker inspect -f {{.State}} web => low | inspect | web | one
docker container inspect --format={{json␣.}} web => medium | container inspect | web | one
docker inspect --format={{.Config.Env}} web => medium | inspect | web | one
docker network inspect front => low | network inspect | front | one
docker volume ls => low | volume ls |  | none
docker system df -v => low | system df |  | none
docker info => low | info |  | none
docker stats --no-stream => low | stats |  | none
docker top web -o pid,user => low | top | web | one
docker images => low | images |  | none
docker image ls => low | image ls |  | none
docker history web => medium | history | web | one
docker version => low | version |  | none
docker search nginx => low | search |  | none
docker restart -t=10 web => high | restart | web | one
docker restart web api => high | restart | web api | several
docker stop web => high | stop | web | one
docker stop -s KILL web => critical | stop | web | one
docker start web => high | start | web | one
docker kill --signal=HUP web => high | kill | web | one
docker kill web => critical | kill | web | one
docker kill -sKILL web => critical | kill | web | one
docker pause web => high | pause | web | one
docker update --memory=512m web => high | update | web | one
docker rm web => high | rm | web | one
docker rm -f web => critical | rm | web | one
docker rm -vf web => critical | rm | web | one
docker container rm --volumes web => critical | container rm | web | one
docker rmi web:1 => high | rmi | web:1 | one
docker image rm -f web:1 => critical | image rm | web:1 | one
docker exec web ls => high | exec | web | one
docker exec -it web sh => high | exec | web | one
docker exec -u root --privileged web sh => critical | exec | web | one
docker exec -- web rm -rf /data => high | exec | web | one
docker run nginx => high | run | nginx | one
docker run -d --name web -p 80:80 nginx => high | run | nginx | one
docker run --privileged nginx => critical | run | nginx | one
docker run -v /:/host nginx => critical | run | nginx | one
docker run -v/var/run/docker.sock:/s nginx => critical | run | nginx | one
docker run --mount type=bind,source=/etc,target=/x nginx => critical | run | nginx | one
docker run --pid=host nginx => critical | run | nginx | one
docker run --cap-add SYS_ADMIN nginx => critical | run | nginx | one
docker run nginx --privileged => high | run | nginx | one
docker create nginx => high | create | nginx | one
docker cp web:/etc/passwd . => high | cp | web:/etc/passwd . | several
docker build -t x . => high | build |  | none
docker pull nginx => high | pull | nginx | one
docker push nginx => high | push | nginx | one
docker system prune => critical | system prune |  | all
docker system prune -af --volumes => critical | system prune |  | all
docker image prune --force => critical | image prune |  | all
docker volume prune => critical | volume prune |  | all
docker builder prune => critical | builder prune |  | all
docker volume rm data => critical | volume rm | data | one
docker network rm front => high | network rm | front | one
docker network disconnect front web => high | network disconnect | front web | several
docker context use prod => high | context use | prod | one
docker swarm leave => critical | swarm leave |  | none
docker service scale web=0 => critical | service scale | web=0 | one
docker service scale web=3 => high | service scale | web=3 | one
docker stack rm shop => critical | stack rm | shop | one
docker login => high | login |  | unknown
docker scout cves => high | scout |  | unknown
docker compose ls --all => low | compose ls |  | none
docker compose -p shop ps => low | compose ps | shop | none
docker compose --project-name=shop logs --tail=100 web => low | compose logs | shop/web | one
docker --host=unix:///run/docker.sock compose --project-name=shop logs web => low | compose logs | shop/web | one |  | --host=unix:///run/docker.sock
docker compose -f x.yaml up -d => high | compose up |  | all
docker compose up --scale web=0 => critical | compose up |  | all
docker compose up -dV => critical | compose up |  | all
docker compose -p shop down => critical | compose down | shop | all
docker compose down -v => critical | compose down |  | all
docker compose restart web => high | compose restart | web | one
docker compose rm -f web => high | compose rm | web | one
docker compose exec web sh => high | compose exec | web | one
docker compose run --rm web sh => high | compose run | web | one
docker compose config => medium | compose config |  | none
docker compose kill => critical | compose kill |  | all
docker compose kill -s HUP web => high | compose kill | web | one
docker compose frob => high | compose frob |  | unknown
docker compose ps --sneaky => high | compose ps |  | unknown
docker-compose up -d => high | up |  | all
docker-compose -H tcp://evil:1 ps => high | ps |  | none |  | --host=tcp://evil:1
docker-compose ps => low | ps |  | none
`);
});
