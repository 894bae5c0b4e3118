// Ordinary: what a program in Java and its libraries do, and a sandbox need not refuse.
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class Ordinary {
    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Integer>> squares = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            squares.add(pool.submit(() -> number * number));
        }
        for (Future<Integer> square : squares) {
            square.get();
        }
        pool.shutdown();
        Path file = Path.of(System.getenv().getOrDefault("TMPDIR", "/tmp"), "ordinary.txt");
        Files.writeString(file, "text");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
             var lock = channel.lock()) {
            channel.force(true);
        }
        Files.delete(file);
        try (ServerSocket server = new ServerSocket(0);
             Socket client = new Socket("127.0.0.1", server.getLocalPort());
             Socket accepted = server.accept()) {
            client.getOutputStream().write(1);
            accepted.getInputStream().read();
        } catch (java.io.IOException error) {
            // Without a network of its own it has no port.
        }
        new SecureRandom().nextInt();
        new ProcessBuilder("true").start().waitFor();
        System.gc();
        System.out.println("done");
    }
}
