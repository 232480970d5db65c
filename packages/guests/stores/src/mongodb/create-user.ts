/** Adds the first user to a server that requires no login. */
import { MongoClient } from 'mongodb';

/** @returns the number of users afterwards */
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
