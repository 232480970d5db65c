/** Gives a server that asks nobody to log in its first user. */
import { MongoClient } from 'mongodb';

/** @returns the users that it has then */
export async function createUser(url: string, user: string, password: string): Promise<number> {
  const client = new MongoClient(url, { directConnection: true });
  try {
    const admin = client.db('admin');
    await admin.command({ createUser: user, pwd: password, roles: [{ role: 'root', db: 'admin' }] });
    const { users } = await admin.command({ usersInfo: 1 });
    return (users as unknown[]).length;
  } finally {
    await client.close();
  }
}
