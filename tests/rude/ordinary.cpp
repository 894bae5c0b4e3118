// ordinary: what a program in C++ and its libraries do, and a sandbox need not report.
#include <cerrno>
#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <locale>
#include <random>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <netdb.h>
#include <pwd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

int main()
{
    std::ios::sync_with_stdio(false);
    std::setlocale(LC_ALL, "");
    std::time_t now = std::time(nullptr);
    (void)std::localtime(&now);
    std::random_device device;
    (void)device();
    std::ofstream("debug.txt") << "text\n"; // its own folder is read-only
    std::ifstream("book.txt").get();
    if (std::FILE *file = std::tmpfile()) {
        std::fclose(file);
    }
    std::error_code error;
    std::filesystem::path place = std::filesystem::temp_directory_path(error) / "plum-ordinary";
    std::filesystem::create_directories(place, error);
    std::filesystem::remove_all(place, error);
    (void)getpwuid(getuid());
    (void)gethostbyname("localhost");
    addrinfo *addresses = nullptr;
    if (getaddrinfo("localhost", "8888", nullptr, &addresses) == 0) {
        freeaddrinfo(addresses);
    }
    openlog("agent", 0, LOG_USER);
    syslog(LOG_INFO, "text");
    closelog();
    (void)mlockall(MCL_CURRENT);
    munlockall();
    std::thread([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }).join();
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    kill(child, SIGKILL); // it has just ended
    std::signal(SIGUSR1, SIG_IGN);
    std::raise(SIGUSR1);
    (void)!std::system("true");
    std::cout << "done" << std::endl;
}
